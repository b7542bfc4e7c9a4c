CREATE TABLE "orders" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "endpointId" TEXT NOT NULL,
  "clientOrderId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "initiator" TEXT NOT NULL,
  "cvvGiven" INTEGER NOT NULL CHECK ("cvvGiven" BETWEEN -9007199254740991 AND 9007199254740991),
  "state" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "authorizedMinor" INTEGER NOT NULL CHECK ("authorizedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "capturedMinor" INTEGER NOT NULL CHECK ("capturedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "returnedMinor" INTEGER NOT NULL CHECK ("returnedMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "capturingMinor" INTEGER NOT NULL CHECK ("capturingMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "returningMinor" INTEGER NOT NULL CHECK ("returningMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "movingCount" INTEGER NOT NULL CHECK ("movingCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "releasing" INTEGER NOT NULL CHECK ("releasing" BETWEEN -9007199254740991 AND 9007199254740991),
  "released" INTEGER NOT NULL CHECK ("released" BETWEEN -9007199254740991 AND 9007199254740991),
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorCode" INTEGER CHECK ("errorCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorMessage" TEXT,
  "filteredBy" TEXT,
  "approvalCode" TEXT,
  "processorTxId" TEXT,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "cardholder" TEXT NOT NULL,
  "expireMonth" INTEGER NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" INTEGER NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "description" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "phone" TEXT,
  "ipAddress" TEXT NOT NULL,
  "merchantData" TEXT,
  "redirectUrl" TEXT,
  "redirectSuccessUrl" TEXT,
  "redirectFailUrl" TEXT,
  "callbackUrl" TEXT,
  "notifyUrl" TEXT,
  "eventCount" INTEGER NOT NULL CHECK ("eventCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "processedAtMs" INTEGER CHECK ("processedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "holdUntilMs" INTEGER CHECK ("holdUntilMs" BETWEEN -9007199254740991 AND 9007199254740991), "amountsLeft" TEXT, "descriptor" TEXT, "subscriptionId" TEXT, "threeds" INTEGER CHECK ("threeds" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;
INSERT INTO "orders" VALUES ('110664194461761536', 4, 'sandbox-merchant', '1001', 'task', '110664194461761537', 'preauth', 'cardholder', 1, 'authorized', 'USD', 1042, 1042, 0, 0, 0, 0, 0, 0, 0, 1, NULL, NULL, NULL, '000001', 'PNTEST-110664194461761536', '444401', '0007', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1793610000000, 1793610000000, 1794214800000, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761539', 2, 'sandbox-merchant', '1001', 'card-stored', '110664194461761540', 'sale', 'cardholder', 1, 'settled', 'USD', 1042, 1042, 1042, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, '000003', 'PNTEST-110664194461761539', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761544', 2, 'sandbox-merchant', '1001', 'club', '110664194461761545', 'sale', 'cardholder', 1, 'settled', 'USD', 1042, 1042, 1042, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, '000004', 'PNTEST-110664194461761544', '444433', '1111', 'VISA', '', 12, 2099, '', 'john.smith@gmail.com', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, NULL, NULL, 'SANDBOX USD', '110664194461761543', 0);
INSERT INTO "orders" VALUES ('110664194461761546', 2, 'sandbox-merchant', '1001', 'preauth-held', '110664194461761547', 'preauth', 'cardholder', 1, 'authorized', 'USD', 1042, 1042, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, '000005', 'PNTEST-110664194461761546', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, 1794819600000, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761548', 2, 'sandbox-merchant', '1102', '3ds-challenge', '110664194461761549', 'sale', 'cardholder', 1, 'declined', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, 'The cardholder was not authenticated', NULL, NULL, NULL, '444400', '8888', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, 'https://shop.example/back', NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, NULL, NULL, 'SANDBOX 3DS', NULL, 1);
INSERT INTO "orders" VALUES ('110664194461761550', 1, 'sandbox-merchant', '1001', 'page-open', '110664194461761551', 'sale', 'cardholder', 0, 'registered', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '', '', '', '', 0, 0, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, 'https://shop.example/back', NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761552', 1, 'sandbox-merchant', '1201', 'payout-waiting', '110664194461761553', 'payout', 'merchant', 0, 'waiting', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '', '', '', '', 0, 0, '', '', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761554', 2, 'sandbox-merchant', '1001', 'payout-checked', '110664194461761555', 'payout', 'merchant', 0, 'checked', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '', '', '', '', 0, 0, '', '', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761556', 2, 'sandbox-merchant', '1001', 'sale-not-told', '110664194461761557', 'sale', 'cardholder', 1, 'settled', 'USD', 1042, 1042, 1042, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, '000006', 'PNTEST-110664194461761556', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, 'http://shop.example/callback', NULL, 1, 1794214800000, 1794214800000, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761558', 2, 'sandbox-merchant', '1001', 'sale-unknown', '110664194461761559', 'sale', 'cardholder', 1, 'unknown', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '444401', '0002', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, 'http://shop.example/callback', NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761561', 2, 'sandbox-merchant', '1001', 'sale-never-arrived', '110664194461761562', 'sale', 'cardholder', 1, 'unknown', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '444401', '0009', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761564', 3, 'sandbox-merchant', '1001', 'capture-under-way', '110664194461761565', 'preauth', 'cardholder', 1, 'authorized', 'USD', 1042, 1042, 0, 0, 600, 0, 1, 0, 0, 1, NULL, NULL, NULL, '000008', 'PNTEST-110664194461761564', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, 1794819600000, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194461761567', 1, 'sandbox-merchant', '1001', 'sale-not-asked', '110664194461761568', 'sale', 'cardholder', 1, 'authorizing', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, 'http://shop.example/callback', NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);

CREATE UNIQUE INDEX "orders.clientOrder" ON "orders" ("merchantId", "clientOrderId");

CREATE TABLE "requests" (
  "requestId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "operation" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "amountGiven" INTEGER NOT NULL CHECK ("amountGiven" BETWEEN -9007199254740991 AND 9007199254740991),
  "progress" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "idempotencyKey" TEXT,
  "errorCode" INTEGER CHECK ("errorCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "errorMessage" TEXT,
  "callbackUrl" TEXT,
  "acceptedAtMs" INTEGER NOT NULL CHECK ("acceptedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "finishedAtMs" INTEGER CHECK ("finishedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("requestId")
) STRICT;
INSERT INTO "requests" VALUES ('110664194461761537', 'sandbox-merchant', '110664194461761536', 'PREAUTH', 'authorize', 0, 1042, 1, 'approved', 'v1.LvBcoiXvMftgB-Un09W6e2vYoVYefaN0msYoe7mAdpM', NULL, NULL, NULL, NULL, 1793610000000, 1793610000000);
INSERT INTO "requests" VALUES ('110664194461761538', 'sandbox-merchant', '110664194461761536', 'LAPSE', 'cancel', 1, 1042, 0, 'declined', '', NULL, 100, 'Do not honour', NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194461761540', 'sandbox-merchant', '110664194461761539', 'SALE', 'sale', 0, 1042, 1, 'approved', 'v1.bvcCq5ZxHj3gE7jLBSNbkfQdhVBIuxi2aqDByZtlDbg', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194461761545', 'sandbox-merchant', '110664194461761544', 'CREATE_RP_V4', 'sale', 0, 1042, 1, 'approved', 'v1.4szdAdBHCVKO3s5zAK_Z1X2LSqXgn1BCIFQoX2YeCBs', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194461761547', 'sandbox-merchant', '110664194461761546', 'PREAUTH', 'authorize', 0, 1042, 1, 'approved', 'v1.LQcOfbkPV38k29oKHdp5GhG8jMZ8KbF6dJfMaWEBAjM', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194461761549', 'sandbox-merchant', '110664194461761548', 'SALE', 'sale', 0, 1042, 1, 'declined', 'v1.LKtiTzYUO-2tbzhMS0xap_j3nHmyhu5R9131zz4LI8Y', NULL, 90, 'The cardholder was not authenticated', NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194461761551', 'sandbox-merchant', '110664194461761550', 'SALEFORM', 'sale', 0, 1042, 1, 'moving', 'v1.xgSoja1XUqkPQRol2GMnQCCSaTn954xmQSJcVWg5dLk', NULL, NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194461761553', 'sandbox-merchant', '110664194461761552', 'PAYOUT', 'pay', 0, 1042, 1, 'moving', 'v1.rcjEAJj3EVDH4e_ugy28zCurARWNf1xoL_BXAll6IrE', NULL, NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194461761555', 'sandbox-merchant', '110664194461761554', 'PAYOUT_V4_CHECK', 'check', 0, 1042, 1, 'approved', 'v1.eCDzZ20KbUltToZTnsERhKocvOzPnBGV1lx_rZRLorI', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194461761557', 'sandbox-merchant', '110664194461761556', 'SALE', 'sale', 0, 1042, 1, 'approved', 'v1.wXD-1EN-AbmS-rKc0EGgULmMKye4NM_8FZokwSXX7sM', NULL, NULL, NULL, 'http://shop.example/callback', 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194461761559', 'sandbox-merchant', '110664194461761558', 'SALE', 'sale', 0, 1042, 1, 'unknown', 'v1.GMbHXwMHEiPlHothZbiEXU9wqp3SyDpT1_ZwTBC7qGo', NULL, NULL, NULL, 'http://shop.example/callback', 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194461761562', 'sandbox-merchant', '110664194461761561', 'SALE', 'sale', 0, 1042, 1, 'unknown', 'v1.kel_KTudlAxzYsed-2d2f5Jrnvsl0M1DZ_-A0dn4mVg', NULL, NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194461761565', 'sandbox-merchant', '110664194461761564', 'PREAUTH', 'authorize', 0, 1042, 1, 'approved', 'v1._JghygFxN2bbVQhDc-_96L22Mjq_-Ju9gAn61Vq5xjE', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194461761566', 'sandbox-merchant', '110664194461761564', 'CAPTURE', 'capture', 1, 600, 1, 'moving', 'v1.k2O65z3cUKA97JAfYkp4QZ36MSj081dIzlgB27PkeBc', 'capture-under-way/1', NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194461761568', 'sandbox-merchant', '110664194461761567', 'SALE', 'sale', 0, 1042, 1, 'moving', 'v1.B7rHRTkcHuxtnNmKdxX5UQD8MUZZiEaCEV69_Ud03K8', NULL, NULL, NULL, 'http://shop.example/callback', 1794214800000, NULL);

CREATE UNIQUE INDEX "requests.idempotency" ON "requests" ("merchantId", "operation", "orderId", "idempotencyKey");

CREATE INDEX "requests.order" ON "requests" ("orderId", "sequence", "requestId");

CREATE TABLE "cards" (
  "cardId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "sealedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) STRICT, WITHOUT ROWID;
INSERT INTO "cards" VALUES ('110664194461761536', 'sandbox-merchant', X'0100000001B45D050314D0CCB77222BA880855F7BB12545C367D2E5490F6723F4DF5636614D8141903FC982B824561EE6F3AE1C32DF7B32BBE83F8D6C40E21B1C95AA894B23E67286D41B17581E6D2D6F25A93F80096587DCE2E3E83153785CE2173DB0905C3C57B857443F255', 'v1.sBdbAw04F-2MD2c3pH5Y9uTzASzQUG9H1lUJsdKhXww', 1793610000000);
INSERT INTO "cards" VALUES ('110664194461761539', 'sandbox-merchant', X'01000000014BD25F651FE05954E868A735CD415BBC6E19911689857413B210AB8C5A675A0287A431FEEBBB1A815C23D11A3960F966BD78F4210C79F6E69DC372FDAB983C3848AC0337EFB9213B8338F53EBCE3742866CC7A26EC58E22FC6A83B667BC3510767DC9BA4F731E6B5', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);
INSERT INTO "cards" VALUES ('110664194461761544', 'sandbox-merchant', X'0100000001414C196BE6D5D65606D9A7F48506C2E6260D90274A630FA0EC514BA864EC058DD55961FA274F135ABBA6722CCDD307BE9620B86C77F725364E9D741D755ABB8FB9E22E2C73274C6636BCCACBB87E6A4BEC781332175701BA25B5A188F10358E3AC98BD9A29316589', 'v1.b6ONhBjDoGF9ChY1fjcHI_iL45kxWtX5yTp3yTezGZA', 1794214800000);
INSERT INTO "cards" VALUES ('110664194461761546', 'sandbox-merchant', X'010000000196C5D772127506A4C14976AAC15BC4C6E006F8933BAEC718552B5FA54AB63C3D1B451416688B770B2743C7FC4ADDA0A62172F8FDF50C7F1B5724642215AF8F225F9C4FE910768860CB3CB6C26EDF7AD5401C77974BFF5CF9510E7C2A3144EF19A2D935A02A10100E', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);
INSERT INTO "cards" VALUES ('110664194461761548', 'sandbox-merchant', X'0100000001F9630F82A207D2B835E3607D9D6473DE06AA1BCCBFD2C16366C38D160899FBE4ADC431AFD7B2F07D7CE957081F89CBC108A0410E2552E968CF93CC7F3B04B86E4B00094C703BAC0CD2C0B73ADCF216888FA341CF06BD1F6D910FB5E79869B4951C454A04037EBF2B', 'v1.KxOwDYqv5KIv0GFz3shEr_UwGqF8laInkcbfgPn352A', 1794214800000);
INSERT INTO "cards" VALUES ('110664194461761556', 'sandbox-merchant', X'0100000001A4470171A9EEAFF5728EC9B96E48B0751CE8BDFD81F4B71118F8ED319EF58E7C4834356A5C3B6230377A5250B8C0332B3FA65350427F81C255D1EB4C302BE96EBEA7346E0038995D2A50A9E4D3A8D4AE495ED409F396D1D7167082DAE640B84D92E7BB055DD4223B', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);
INSERT INTO "cards" VALUES ('110664194461761558', 'sandbox-merchant', X'010000000102B77B30A2C021F1067C24C2128E94C0C98AA1F1904FA481DD986C47C53D32D96B6410B7E7063E85A4C9ECA18A396F8E18E721DE34DD78C74E8DD5348CF69C92EB383B459B2B39529F4629C766AFB1CF55ED761B3E627DC8363F6ECC47899453C966EDB8F74651DF', 'v1.M2AeN1RNCSzbGOep25ZeAF29oJgzNtxnUCLmdkPms9w', 1794214800000);
INSERT INTO "cards" VALUES ('110664194461761561', 'sandbox-merchant', X'010000000172A49484475D5C86D755038885E9A71E0A7CA3F3F1AE36DC12529101AE69561CDD5FDC9469A6A0081F8D26B70177FFA94DF67E52240EA99BFA054179FEC83CA7095CFEF978824643523C888AC8C58101C0C4CD6FD6336FC87C567B71DEFC34DFD4CE17BE8887E1DD', 'v1.if3-4yrN5sIcYGPCt722fNtOwL5VwpB4nkIMoButC7w', 1794214800000);
INSERT INTO "cards" VALUES ('110664194461761564', 'sandbox-merchant', X'01000000013D7251C4769972DD1B5E6F397B0129B0813A254B586C5A1E62F059977829F190FA977F08D1A4909D33BB239447F585B23B6B5973BEB3268E20BCC99C070D804D101B68C1D250CC65D09A7ACBE7D68A411ADF892DDAB0BB462B91A3FCF53835FC0842EAAE83BC1D54', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);
INSERT INTO "cards" VALUES ('110664194461761567', 'sandbox-merchant', X'0100000001CEA4EE95D2FFDA7A1F5933D145BC2CC900E189BE1860AC9B128CA5E431DCA590765B0B818048352A16D1C1F0878F58EFB8254235F0426A06E7B98B6AF1FAD26388A73969BBE61CBC4AEA28B6AF758639FBB04C2D50BE8BCEFAA493FB160B68F155C08451ACE374BC', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);

CREATE INDEX "cards.pan" ON "cards" ("merchantId", "panHash", "cardId");

CREATE TABLE "cvvs" (
  "cardId" TEXT NOT NULL,
  "sealed" BLOB NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) STRICT, WITHOUT ROWID;
INSERT INTO "cvvs" VALUES ('110664194461761558', X'0267DA634CB66C770849271E1D255855CFB56C80FDB95783783ACEB0B8DD18A0BE47FAD4708EA26CEC867FF88B23352D5324E3B7C23EF829DB39EFD569BAAD7361DE7810F5E1A5AD0FCABB6F71882F9A605999140296AC0C6B5413B7F69606C0', 1794214800000);
INSERT INTO "cvvs" VALUES ('110664194461761561', X'0267DA634CC75E31E1409F31FE48CD0EE143F6C6230139841C19CCC53E51DC4347904EF75FBCF983501FCB9E26EC3CACE796E34970788ACBFD6D555E91EDDB20BB77410C13F9FB9A80FFC9455EF22B58909CA1BFFB9294DBFB68E3AAF768D523', 1794214800000);
INSERT INTO "cvvs" VALUES ('110664194461761567', X'0267DA634CDF1D0809E2E0FFF799EB9B8DAA0F12F1214AB0F6B9EC847FB4AD7F611C2C980A5ADD2B6ACEA9AC45D9F862467BCC56FE1A3044E2FFA399E2F750AD1A919973A7EB207AA9F1B8E1FDCD4BD2E86F86D1F38A209FEAC57B4FDBA9631D', 1794214800000);

CREATE INDEX "cvvs.created" ON "cvvs" ("createdAtMs", "cardId");

CREATE TABLE "cardrefs" (
  "cardRefId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "sealedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "cardholder" TEXT NOT NULL,
  "expireMonth" INTEGER NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" INTEGER NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT,
  "cardholderInitiated" INTEGER NOT NULL CHECK ("cardholderInitiated" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "removedAtMs" INTEGER CHECK ("removedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardRefId")
) STRICT;
INSERT INTO "cardrefs" VALUES ('110664194461761541', 1, 'sandbox-merchant', X'01000000019342EA225CF52AD303BC869AE270BCCD8E4D13BDCD079DDA1DDF7A56FFE35EB68708B2766362B7FBEAE05457F18A2E93D0CDFEC587FA79C5C05D59A8AF1754B5B4B4904402E6254C3E4794AB87AD05E65A1C8CE843267BCE3B324770EEF55A89736A7D80161DA951', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, '110664194461761539', 1, 1794214800000, NULL);

CREATE UNIQUE INDEX "cardrefs.card" ON "cardrefs" ("merchantId", "panHash");

CREATE TABLE "authentications" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "mode" TEXT NOT NULL,
  "stage" TEXT NOT NULL,
  "attempt" INTEGER NOT NULL CHECK ("attempt" BETWEEN -9007199254740991 AND 9007199254740991),
  "protocol" TEXT,
  "pageToken" TEXT NOT NULL,
  "serverTransId" TEXT,
  "methodUrl" TEXT,
  "completionIndicator" TEXT,
  "browser" TEXT,
  "acsUrl" TEXT,
  "acsTransId" TEXT,
  "creq" TEXT,
  "pareq" TEXT,
  "md" TEXT,
  "xid" TEXT,
  "transStatus" TEXT,
  "eci" TEXT,
  "sealedAuthenticationValue" TEXT,
  "deadlineMs" INTEGER CHECK ("deadlineMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "methodUpload" TEXT,
  "endUpload" TEXT, "refusedResults" INTEGER CHECK ("refusedResults" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;
INSERT INTO "authentications" VALUES ('110664194461761548', 3, 'merchant', 'done', 1, '2.2.0', 'wY_pNTy0Jfzj_bXaA3jwuwPbHLt_6nnv', '42a1f7c3-42d2-85f6-946b-c60c7a97dfea', NULL, 'U', '{"acceptHeader":"text/html,application/xhtml+xml","ip":"203.0.113.7","javaEnabled":false,"javascriptEnabled":true,"language":"en-US","colorDepth":"24","screenHeight":1080,"screenWidth":1920,"timeZoneMinutes":-60,"userAgent":"Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}', NULL, NULL, NULL, NULL, NULL, NULL, 'U', NULL, NULL, NULL, NULL, NULL, NULL);

CREATE UNIQUE INDEX "authentications.pageToken" ON "authentications" ("pageToken");

CREATE TABLE "formsessions" (
  "token" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "country" TEXT,
  "attempts" INTEGER NOT NULL CHECK ("attempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "attemptsAllowed" INTEGER NOT NULL CHECK ("attemptsAllowed" BETWEEN -9007199254740991 AND 9007199254740991),
  "attemptId" TEXT,
  "paying" INTEGER NOT NULL CHECK ("paying" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "endedAtMs" INTEGER CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991), "purpose" TEXT,
  PRIMARY KEY ("token")
) STRICT;
INSERT INTO "formsessions" VALUES ('qJv0R16PI6Hk4_ZrfySZ2bmOD3_fObx-', 1, '110664194461761550', 'sale', 'US', 0, 3, NULL, 0, 1794216600000, NULL, NULL);

CREATE UNIQUE INDEX "formsessions.order" ON "formsessions" ("orderId");

CREATE TABLE "ledger" (
  "entryId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "cause" TEXT NOT NULL,
  "account" TEXT NOT NULL,
  "minor" INTEGER NOT NULL CHECK ("minor" BETWEEN -9007199254740991 AND 9007199254740991),
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("entryId")
) STRICT, WITHOUT ROWID;
INSERT INTO "ledger" VALUES ('110664194461761537:hold:authorised', '110664194461761536', '110664194461761537', 'hold', 'sandbox-merchant/1001/USD/authorised', 1042, 1793610000000);
INSERT INTO "ledger" VALUES ('110664194461761537:hold:authorised_contra', '110664194461761536', '110664194461761537', 'hold', 'sandbox-merchant/1001/USD/authorised_contra', -1042, 1793610000000);
INSERT INTO "ledger" VALUES ('110664194461761540:sale:acquirer_receivable', '110664194461761539', '110664194461761540', 'sale', 'sandbox-merchant/1001/USD/acquirer_receivable', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761540:sale:merchant_settlement', '110664194461761539', '110664194461761540', 'sale', 'sandbox-merchant/1001/USD/merchant_settlement', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761545:sale:acquirer_receivable', '110664194461761544', '110664194461761545', 'sale', 'sandbox-merchant/1001/USD/acquirer_receivable', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761545:sale:merchant_settlement', '110664194461761544', '110664194461761545', 'sale', 'sandbox-merchant/1001/USD/merchant_settlement', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761547:hold:authorised', '110664194461761546', '110664194461761547', 'hold', 'sandbox-merchant/1001/USD/authorised', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761547:hold:authorised_contra', '110664194461761546', '110664194461761547', 'hold', 'sandbox-merchant/1001/USD/authorised_contra', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761553:payoutHold:payout_available', '110664194461761552', '110664194461761553', 'payoutHold', 'sandbox-merchant/1201/USD/payout_available', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761553:payoutHold:payout_held', '110664194461761552', '110664194461761553', 'payoutHold', 'sandbox-merchant/1201/USD/payout_held', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761555:payoutHold:payout_available', '110664194461761554', '110664194461761555', 'payoutHold', 'sandbox-merchant/1001/USD/payout_available', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761555:payoutHold:payout_held', '110664194461761554', '110664194461761555', 'payoutHold', 'sandbox-merchant/1001/USD/payout_held', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761557:sale:acquirer_receivable', '110664194461761556', '110664194461761557', 'sale', 'sandbox-merchant/1001/USD/acquirer_receivable', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761557:sale:merchant_settlement', '110664194461761556', '110664194461761557', 'sale', 'sandbox-merchant/1001/USD/merchant_settlement', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761565:hold:authorised', '110664194461761564', '110664194461761565', 'hold', 'sandbox-merchant/1001/USD/authorised', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194461761565:hold:authorised_contra', '110664194461761564', '110664194461761565', 'hold', 'sandbox-merchant/1001/USD/authorised_contra', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('fund:opening-1001-USD:fund:operator_funding', 'fund:opening-1001-USD', 'fund:opening-1001-USD', 'fund', 'sandbox-merchant/1001/USD/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1001-USD:fund:payout_available', 'fund:opening-1001-USD', 'fund:opening-1001-USD', 'fund', 'sandbox-merchant/1001/USD/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1002-EUR:fund:operator_funding', 'fund:opening-1002-EUR', 'fund:opening-1002-EUR', 'fund', 'sandbox-merchant/1002/EUR/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1002-EUR:fund:payout_available', 'fund:opening-1002-EUR', 'fund:opening-1002-EUR', 'fund', 'sandbox-merchant/1002/EUR/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1003-JPY:fund:operator_funding', 'fund:opening-1003-JPY', 'fund:opening-1003-JPY', 'fund', 'sandbox-merchant/1003/JPY/operator_funding', -10000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1003-JPY:fund:payout_available', 'fund:opening-1003-JPY', 'fund:opening-1003-JPY', 'fund', 'sandbox-merchant/1003/JPY/payout_available', 10000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1004-KWD:fund:operator_funding', 'fund:opening-1004-KWD', 'fund:opening-1004-KWD', 'fund', 'sandbox-merchant/1004/KWD/operator_funding', -10000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1004-KWD:fund:payout_available', 'fund:opening-1004-KWD', 'fund:opening-1004-KWD', 'fund', 'sandbox-merchant/1004/KWD/payout_available', 10000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1005-EUR:fund:operator_funding', 'fund:opening-1005-EUR', 'fund:opening-1005-EUR', 'fund', 'sandbox-merchant/1005/EUR/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1005-EUR:fund:payout_available', 'fund:opening-1005-EUR', 'fund:opening-1005-EUR', 'fund', 'sandbox-merchant/1005/EUR/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1005-JPY:fund:operator_funding', 'fund:opening-1005-JPY', 'fund:opening-1005-JPY', 'fund', 'sandbox-merchant/1005/JPY/operator_funding', -10000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1005-JPY:fund:payout_available', 'fund:opening-1005-JPY', 'fund:opening-1005-JPY', 'fund', 'sandbox-merchant/1005/JPY/payout_available', 10000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1005-KWD:fund:operator_funding', 'fund:opening-1005-KWD', 'fund:opening-1005-KWD', 'fund', 'sandbox-merchant/1005/KWD/operator_funding', -10000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1005-KWD:fund:payout_available', 'fund:opening-1005-KWD', 'fund:opening-1005-KWD', 'fund', 'sandbox-merchant/1005/KWD/payout_available', 10000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1005-USD:fund:operator_funding', 'fund:opening-1005-USD', 'fund:opening-1005-USD', 'fund', 'sandbox-merchant/1005/USD/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1005-USD:fund:payout_available', 'fund:opening-1005-USD', 'fund:opening-1005-USD', 'fund', 'sandbox-merchant/1005/USD/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1006-EUR:fund:operator_funding', 'fund:opening-1006-EUR', 'fund:opening-1006-EUR', 'fund', 'sandbox-merchant/1006/EUR/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1006-EUR:fund:payout_available', 'fund:opening-1006-EUR', 'fund:opening-1006-EUR', 'fund', 'sandbox-merchant/1006/EUR/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1006-USD:fund:operator_funding', 'fund:opening-1006-USD', 'fund:opening-1006-USD', 'fund', 'sandbox-merchant/1006/USD/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1006-USD:fund:payout_available', 'fund:opening-1006-USD', 'fund:opening-1006-USD', 'fund', 'sandbox-merchant/1006/USD/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1101-EUR:fund:operator_funding', 'fund:opening-1101-EUR', 'fund:opening-1101-EUR', 'fund', 'sandbox-merchant/1101/EUR/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1101-EUR:fund:payout_available', 'fund:opening-1101-EUR', 'fund:opening-1101-EUR', 'fund', 'sandbox-merchant/1101/EUR/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1101-USD:fund:operator_funding', 'fund:opening-1101-USD', 'fund:opening-1101-USD', 'fund', 'sandbox-merchant/1101/USD/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1101-USD:fund:payout_available', 'fund:opening-1101-USD', 'fund:opening-1101-USD', 'fund', 'sandbox-merchant/1101/USD/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1102-EUR:fund:operator_funding', 'fund:opening-1102-EUR', 'fund:opening-1102-EUR', 'fund', 'sandbox-merchant/1102/EUR/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1102-EUR:fund:payout_available', 'fund:opening-1102-EUR', 'fund:opening-1102-EUR', 'fund', 'sandbox-merchant/1102/EUR/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1102-USD:fund:operator_funding', 'fund:opening-1102-USD', 'fund:opening-1102-USD', 'fund', 'sandbox-merchant/1102/USD/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1102-USD:fund:payout_available', 'fund:opening-1102-USD', 'fund:opening-1102-USD', 'fund', 'sandbox-merchant/1102/USD/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1201-EUR:fund:operator_funding', 'fund:opening-1201-EUR', 'fund:opening-1201-EUR', 'fund', 'sandbox-merchant/1201/EUR/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1201-EUR:fund:payout_available', 'fund:opening-1201-EUR', 'fund:opening-1201-EUR', 'fund', 'sandbox-merchant/1201/EUR/payout_available', 1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1201-USD:fund:operator_funding', 'fund:opening-1201-USD', 'fund:opening-1201-USD', 'fund', 'sandbox-merchant/1201/USD/operator_funding', -1000000, 1793610000000);
INSERT INTO "ledger" VALUES ('fund:opening-1201-USD:fund:payout_available', 'fund:opening-1201-USD', 'fund:opening-1201-USD', 'fund', 'sandbox-merchant/1201/USD/payout_available', 1000000, 1793610000000);

CREATE INDEX "ledger.order" ON "ledger" ("orderId", "entryId");

CREATE INDEX "ledger.account" ON "ledger" ("account", "atMs", "entryId");

CREATE TRIGGER "ledger.no update" BEFORE UPDATE ON "ledger" BEGIN SELECT RAISE(ABORT, 'ledger is only ever added to'); END;

CREATE TRIGGER "ledger.no delete" BEFORE DELETE ON "ledger" BEGIN SELECT RAISE(ABORT, 'ledger is only ever added to'); END;

CREATE TABLE "balances" (
  "account" TEXT NOT NULL,
  "minor" INTEGER NOT NULL CHECK ("minor" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("account")
) STRICT, WITHOUT ROWID;
INSERT INTO "balances" VALUES ('sandbox-merchant/1001/USD/acquirer_receivable', -3126);
INSERT INTO "balances" VALUES ('sandbox-merchant/1001/USD/authorised', 3126);
INSERT INTO "balances" VALUES ('sandbox-merchant/1001/USD/authorised_contra', -3126);
INSERT INTO "balances" VALUES ('sandbox-merchant/1001/USD/merchant_settlement', 3126);
INSERT INTO "balances" VALUES ('sandbox-merchant/1001/USD/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1001/USD/payout_available', 998958);
INSERT INTO "balances" VALUES ('sandbox-merchant/1001/USD/payout_held', 1042);
INSERT INTO "balances" VALUES ('sandbox-merchant/1002/EUR/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1002/EUR/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1003/JPY/operator_funding', -10000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1003/JPY/payout_available', 10000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1004/KWD/operator_funding', -10000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1004/KWD/payout_available', 10000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1005/EUR/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1005/EUR/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1005/JPY/operator_funding', -10000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1005/JPY/payout_available', 10000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1005/KWD/operator_funding', -10000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1005/KWD/payout_available', 10000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1005/USD/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1005/USD/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1006/EUR/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1006/EUR/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1006/USD/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1006/USD/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1101/EUR/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1101/EUR/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1101/USD/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1101/USD/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1102/EUR/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1102/EUR/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1102/USD/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1102/USD/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1201/EUR/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1201/EUR/payout_available', 1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1201/USD/operator_funding', -1000000);
INSERT INTO "balances" VALUES ('sandbox-merchant/1201/USD/payout_available', 998958);
INSERT INTO "balances" VALUES ('sandbox-merchant/1201/USD/payout_held', 1042);

CREATE TABLE "agenda" (
  "itemId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "dueAtMs" INTEGER NOT NULL CHECK ("dueAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "openAttempts" INTEGER NOT NULL CHECK ("openAttempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "tries" INTEGER NOT NULL CHECK ("tries" BETWEEN -9007199254740991 AND 9007199254740991),
  "startedAtMs" INTEGER CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "token" TEXT,
  "leaseUntilMs" INTEGER NOT NULL CHECK ("leaseUntilMs" BETWEEN -9007199254740991 AND 9007199254740991), "merchantId" TEXT,
  PRIMARY KEY ("itemId")
) STRICT, WITHOUT ROWID;
INSERT INTO "agenda" VALUES ('bank:110664194461761559', 'bank', '110664194461761559', 1794214805000, 1, 1, 1794214800000, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('bank:110664194461761562', 'bank', '110664194461761562', 1794214805000, 1, 1, 1794214800000, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('bank:110664194461761566', 'bank', '110664194461761566', 1794214800000, 1, 0, 1794214800000, '36fb514c6e13703fdc094cb97812805c', 1794214920000, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('bank:110664194461761568', 'bank', '110664194461761568', 1794214800000, 1, 0, 1794214800000, '2df00cdbf4b1948aca90a1a88e9a5371', 1794214920000, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('callback:110664194461761556-1', 'callback', '110664194461761556-1', 1794214920000, 0, 1, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194461761536', 'lapse', '110664194461761536', 1794301200000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194461761546', 'lapse', '110664194461761546', 1794819600000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194461761552', 'lapse', '110664194461761552', 1794301200000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194461761554', 'lapse', '110664194461761554', 1794301200000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194461761564', 'lapse', '110664194461761564', 1794819600000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('recurring:110664194461761543', 'recurring', '110664194461761543', 1796774400000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('session:110664194461761550', 'session', '110664194461761550', 1794216600000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');

CREATE INDEX "agenda.due" ON "agenda" ("kind", "dueAtMs", "itemId");

CREATE INDEX "agenda.lease" ON "agenda" ("leaseUntilMs", "itemId");

CREATE TABLE "callbacks" (
  "eventId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "sequence" INTEGER NOT NULL CHECK ("sequence" BETWEEN -9007199254740991 AND 9007199254740991),
  "url" TEXT NOT NULL,
  "query" TEXT NOT NULL,
  "delivery" TEXT NOT NULL,
  "tries" INTEGER NOT NULL CHECK ("tries" BETWEEN -9007199254740991 AND 9007199254740991),
  "queuedAtMs" INTEGER NOT NULL CHECK ("queuedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "triesBefore" INTEGER NOT NULL CHECK ("triesBefore" BETWEEN -9007199254740991 AND 9007199254740991),
  "lastResult" TEXT,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "deliveredAtMs" INTEGER CHECK ("deliveredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("eventId")
) STRICT;
INSERT INTO "callbacks" VALUES ('110664194461761556-1', 'sandbox-merchant', '110664194461761556', '110664194461761557', 1, 'http://shop.example/callback', 'status=approved&orderid=110664194461761556&client_orderid=sale-not-told&merchant_order=sale-not-told&type=sale&amount=10.42&currency=USD&serial-number=00000000-0000-0000-0189-287fa03f8015&descriptor=SANDBOX%20USD&bin=444433&last-four-digits=1111&card-type=VISA&approval-code=000006&processor-tx-id=PNTEST-110664194461761556', 'pending', 1, 1794214800000, 0, 'no connection', 1794214800000, NULL);

CREATE INDEX "callbacks.order" ON "callbacks" ("orderId", "sequence", "eventId");

CREATE INDEX "callbacks.delivery" ON "callbacks" ("delivery", "createdAtMs", "eventId");

CREATE TABLE "callbackTries" (
  "eventId" TEXT NOT NULL,
  "number" INTEGER NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "what" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "result" TEXT NOT NULL,
  PRIMARY KEY ("eventId", "number", "what")
) STRICT, WITHOUT ROWID;
INSERT INTO "callbackTries" VALUES ('110664194461761556-1', 1, 'attempt', 1794214800000, 'no connection');

CREATE INDEX "callbackTries.at" ON "callbackTries" ("atMs", "eventId", "number", "what");

CREATE TABLE "nonces" (
  "consumerKey" TEXT NOT NULL,
  "nonce" TEXT NOT NULL,
  "seenAtMs" INTEGER NOT NULL CHECK ("seenAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("consumerKey", "nonce")
) STRICT, WITHOUT ROWID;
INSERT INTO "nonces" VALUES ('sandbox-merchant', '3ec2cdc5-3dc2-404d-a040-8e433749b91b', 1793610000000);
INSERT INTO "nonces" VALUES ('sandbox-merchant', 'cedecdce-e81f-42bd-997a-d5430226fbf7', 1793610000000);
INSERT INTO "nonces" VALUES ('sandbox-merchant', 'db7f1de8-9a9d-4786-9d77-87d08ff95d21', 1793610000000);

CREATE INDEX "nonces.seen" ON "nonces" ("seenAtMs", "consumerKey", "nonce");

CREATE TABLE "riskmarks" (
  "subject" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject", "atMs", "orderId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "riskmarks.expires" ON "riskmarks" ("expiresAtMs", "subject", "atMs", "orderId");

CREATE TABLE "evidence" (
  "evidenceId" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "answer" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("evidenceId")
) STRICT, WITHOUT ROWID;
INSERT INTO "evidence" VALUES ('110664194461761560', '110664194461761558-sale-0', '110664194461761558', '{"_tag":"Lost","reason":"The simulated bank''s answer was lost"}', 1794214800000);
INSERT INTO "evidence" VALUES ('110664194461761563', '110664194461761561-sale-0', '110664194461761561', '{"_tag":"Lost","reason":"The simulated bank''s answer was lost"}', 1794214800000);

CREATE INDEX "evidence.order" ON "evidence" ("orderId", "evidenceId");

CREATE TRIGGER "evidence.no update" BEFORE UPDATE ON "evidence" BEGIN SELECT RAISE(ABORT, 'evidence is only ever added to'); END;

CREATE TRIGGER "evidence.no delete" BEFORE DELETE ON "evidence" BEGIN SELECT RAISE(ABORT, 'evidence is only ever added to'); END;

CREATE TABLE migration (id INTEGER UNIQUE, name TEXT, checksum TEXT) STRICT;
INSERT INTO "migration" VALUES (1, 'entities', 'de119aefc565448b20b8cd8e6a81adf4cf6469312a84f05e503f1367f6060292');
INSERT INTO "migration" VALUES (2, 'audit', '8b99710d820dcb3415925a1779d38f7b283e2e5090719249ff90692765120a33');
INSERT INTO "migration" VALUES (3, 'amounts_left', '7cec9ee6a78336aff5abd4c40635092d19f76990540d85e291ff23e55d1e7652');
INSERT INTO "migration" VALUES (4, 'descriptor', 'd95da12ed2176ad8ac2f25d81e7540fbcbbd93465632572452dd8534015a56ae');
INSERT INTO "migration" VALUES (5, 'merchant_keys', '4f02bdfcbdc4123ff3e722777e3e64033f41d94795fe9ddc67eb8f7c1a236460');
INSERT INTO "migration" VALUES (6, 'searching', '1a99a16cc13bdcca39ee21feccb575704fa4e62aa60b0850d61061ca39eeeac2');
INSERT INTO "migration" VALUES (7, 'payouts', '43180a7184b59f7932c9f5d9aed5dc2ef22296e76b43ea5d3580406024aba0db');
INSERT INTO "migration" VALUES (8, 'approvals', 'ce6b98b472cfe5d2642ef3f043fd9ff32e068f115cdc4fb622913916d5f03fc7');
INSERT INTO "migration" VALUES (9, 'recurring', '168897d9382086246476f8218441ef43ca9399c16e5ca4b2f426b53e7ed28864');
INSERT INTO "migration" VALUES (10, 'threeds', 'a1783ca69c319c8559f3c403760d7d23768e88691aa19a7a4195fa13c9644189');
INSERT INTO "migration" VALUES (11, 'payout_form', 'e58054111cee7d69e2405f3339b1c354be1a8a65f5a7994dfd18d88d1be1521e');
INSERT INTO "migration" VALUES (12, 'operating', 'ce3b1548a0ddcf24e7d37adeabc6201fd9d59ec6331a22f8323233121ea66f19');
INSERT INTO "migration" VALUES (13, 'recipients', '578aed486c3f0e7f69e996598935b5b4e4a1e6463ddfaa209ad017827a31e590');
INSERT INTO "migration" VALUES (14, 'resolved_amounts', 'a0e2b72da820b4372868e15d28fa041d558ed0606e066b05b4768b2a5419f672');
INSERT INTO "migration" VALUES (15, 'pauses', '6963ae11b5fe805c7c36356f8f5a12b445b513d9c1c7891aabfec2ba4be08c7a');
INSERT INTO "migration" VALUES (16, 'waiting_payouts', '4a67e72edd552c4ef7b3834ca9b33cc01d07bd6f02809609faa131cbdb601caa');
INSERT INTO "migration" VALUES (17, 'enumerated', 'cea0d1bbc290d5dd93fae807ebb9b156e2476cf0e488311b0f7e89993f218dbb');
INSERT INTO "migration" VALUES (18, 'refused_results', '999e770acbcd1d99df6e1c8b84766137e778b82d08df02ee870d4daf4b00631e');
INSERT INTO "migration" VALUES (19, 'bookings', 'b22245dfd3154721fb8205c15f033cf378125e013a32a4acea39008ca4288283');
INSERT INTO "migration" VALUES (20, 'bank_tasks', '998e5ffbeb383ae93ffa68812dd0297a01842125d9422208f0592cc40cba915e');
INSERT INTO "migration" VALUES (21, 'merchant_of_jobs', '4d4e5a27533fc65db9e1ccb9033bbc6fc215748d92488920eb40df0dabc14dc0');

CREATE TABLE "audit" (
  "auditId" TEXT NOT NULL,
  "atMs" INTEGER NOT NULL CHECK ("atMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "actor" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "subjectKind" TEXT NOT NULL,
  "subjectId" TEXT NOT NULL,
  "detail" TEXT NOT NULL,
  PRIMARY KEY ("auditId")
) STRICT, WITHOUT ROWID;

CREATE INDEX "audit.subject" ON "audit" ("subjectKind", "subjectId", "atMs", "auditId");

CREATE INDEX "audit.at" ON "audit" ("atMs", "auditId");

CREATE TRIGGER "audit.no update" BEFORE UPDATE ON "audit" BEGIN SELECT RAISE(ABORT, 'audit is only ever added to'); END;

CREATE TRIGGER "audit.no delete" BEFORE DELETE ON "audit" BEGIN SELECT RAISE(ABORT, 'audit is only ever added to'); END;

CREATE TABLE "merchantkeys" (
  "keyId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "number" INTEGER NOT NULL CHECK ("number" BETWEEN -9007199254740991 AND 9007199254740991),
  "fingerprint" TEXT NOT NULL,
  "material" TEXT,
  "source" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "validFromMs" INTEGER NOT NULL CHECK ("validFromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "validUntilMs" INTEGER CHECK ("validUntilMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "revokedAtMs" INTEGER CHECK ("revokedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("keyId")
) STRICT;
INSERT INTO "merchantkeys" VALUES ('sandbox-merchant/rsa-1', 1, 'sandbox-merchant', 'rsa', 1, 'SHA256:4CfhlELdrUGZuNbm9akpn2B7ODR5r0+EQAHPZGc5AVo', '-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsTduOzPq2dYZs9GsHYDi
90rlAtr97xha8anXAXIEVBCYhTAx0FJZqhPao2rTprolN+VkLBKx71IcepFqo95R
BL6B/+fFDPcL4WVw4oUZfb7IeGbM3HpuKI0YQ3Wfcn6hxhGAIhzM28LjFCK2oTo8
mxuG8WwFNLHbOy7slq3sTQHeEPe1YTCu62gxtFyAPU1aQCAyyQBb9HB3QQxQ21RS
qz87x8hi+cB8HriCjhWfwTl3oBkGhyAdkHSd06Ey8gEcsYCOtOSMMvFknEX22Jww
ROyNHMhmvd+pq0olmYITR8ladwXmB2e2bvqx1HZqY79ATcMc2tVrkLbL0Q0M62SV
ywIDAQAB
-----END PUBLIC KEY-----
', 'file', 1793610000000, 1793610000000, NULL, NULL);
INSERT INTO "merchantkeys" VALUES ('sandbox-merchant/control-1', 1, 'sandbox-merchant', 'control', 1, 'v1.05BZMKkafObadXQrR0Zi4TZUjl6h0mtK6Xaq1kaAH0A', 'AQAAAAFtGTb-H9lMHfqw6Jnlibt0XqaSumwroGTneTiv4A1XhEcVpCqR7BwcwFapN78pANC4oW_UX9C105KWYryknu8ShJde6IZ4N4rHbX_6Ug5ar1SYOQkaBNLHLwah7y7SAVoleRi84LaQGXwxrffTr_DfeqkxQSrwtPSrjKc4', 'file', 1793610000000, 1793610000000, NULL, NULL);

CREATE TABLE "revisions" (
  "subject" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subject")
) STRICT, WITHOUT ROWID;
INSERT INTO "revisions" VALUES ('keys', 1);

CREATE INDEX "orders.created" ON "orders" ("createdAtMs", "orderId");

CREATE INDEX "orders.merchant" ON "orders" ("merchantId", "createdAtMs", "orderId");

CREATE INDEX "orders.lastFour" ON "orders" ("lastFour", "createdAtMs", "orderId");

CREATE INDEX "requests.progress" ON "requests" ("progress", "acceptedAtMs", "requestId");

CREATE INDEX "cards.created" ON "cards" ("createdAtMs", "cardId");

CREATE TABLE "payouts" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "destinationKind" TEXT NOT NULL,
  "sealedDestination" BLOB NOT NULL,
  "recipient" TEXT NOT NULL,
  "masked" TEXT NOT NULL,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "purpose" TEXT,
  "paidAtMs" INTEGER CHECK ("paidAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991), "erasedAtMs" INTEGER CHECK ("erasedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;
INSERT INTO "payouts" VALUES ('110664194461761552', 1, 'sandbox-merchant', 'account', X'01000000019D7DC30A077ADB1B910190BA066888B745E687371942E4357037B628EEE917F8618ACA54121143CF388C5DE3C55FAE5A2579F36080EA4CFEDADE0424FA99E737D24BB2D73DC1FBDD91B729B26CACEBA40A405F2E95B04CC512B2F31476651C86C30FB7256A3C0DBD897AA491C256FA29B98A4230C49AB4ADEF63E850DE9093F4CC509DB674E4DC0F35D9BADE2BFDD4B12175969ED4220040DC', 'v1.rendrMJlQcGpjLKeXSm5p_lN_Ak2ZllaSrdBQA7w6jk', 'DE****************3000', '', '', '', NULL, NULL, 1794214800000, NULL);
INSERT INTO "payouts" VALUES ('110664194461761554', 1, 'sandbox-merchant', 'account', X'010000000184A1DAC5C69F5EE6EE069ECA73035330AFD061893C2E23B96501517041196CA32B2CA5B26281BBDEFAC60327201F50C6A41CF5DB8914154446F529A8ED70B9FC629B8A58AF234BAC3610AD5E72473305878D70426EA12621256BAD8A425AEC5D6ADE977605E23217AAE9A09B0014FBD855AA46E8DC5FFA7098DD748B19AC9C972B77CE33DC7CB65B7E864CCFBED2B5F2EC80E506E8F8116F98', 'v1.rendrMJlQcGpjLKeXSm5p_lN_Ak2ZllaSrdBQA7w6jk', 'DE****************3000', '', '', '', NULL, NULL, 1794214800000, NULL);

CREATE TABLE "fundings" (
  "reference" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "endpointId" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("reference")
) STRICT, WITHOUT ROWID;
INSERT INTO "fundings" VALUES ('opening-1001-USD', 'sandbox-merchant', '1001', 'USD', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1002-EUR', 'sandbox-merchant', '1002', 'EUR', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1003-JPY', 'sandbox-merchant', '1003', 'JPY', 10000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1004-KWD', 'sandbox-merchant', '1004', 'KWD', 10000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1005-EUR', 'sandbox-merchant', '1005', 'EUR', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1005-JPY', 'sandbox-merchant', '1005', 'JPY', 10000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1005-KWD', 'sandbox-merchant', '1005', 'KWD', 10000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1005-USD', 'sandbox-merchant', '1005', 'USD', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1006-EUR', 'sandbox-merchant', '1006', 'EUR', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1006-USD', 'sandbox-merchant', '1006', 'USD', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1101-EUR', 'sandbox-merchant', '1101', 'EUR', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1101-USD', 'sandbox-merchant', '1101', 'USD', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1102-EUR', 'sandbox-merchant', '1102', 'EUR', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1102-USD', 'sandbox-merchant', '1102', 'USD', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1201-EUR', 'sandbox-merchant', '1201', 'EUR', 1000000, 1793610000000);
INSERT INTO "fundings" VALUES ('opening-1201-USD', 'sandbox-merchant', '1201', 'USD', 1000000, 1793610000000);

CREATE TRIGGER "fundings.no update" BEFORE UPDATE ON "fundings" BEGIN SELECT RAISE(ABORT, 'fundings is only ever added to'); END;

CREATE TRIGGER "fundings.no delete" BEFORE DELETE ON "fundings" BEGIN SELECT RAISE(ABORT, 'fundings is only ever added to'); END;

CREATE TABLE "approvals" (
  "orderId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "requestId" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "askedAtMs" INTEGER NOT NULL CHECK ("askedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "expiresAtMs" INTEGER NOT NULL CHECK ("expiresAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "approver" TEXT,
  "signature" TEXT,
  "decidedAtMs" INTEGER CHECK ("decidedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("orderId")
) STRICT;
INSERT INTO "approvals" VALUES ('110664194461761552', 1, 'sandbox-merchant', '110664194461761553', 'waiting', 1794214800000, 1794301200000, NULL, NULL, NULL);

CREATE INDEX "approvals.waiting" ON "approvals" ("merchantId", "state", "askedAtMs", "orderId");

CREATE TABLE "subscriptions" (
  "subscriptionId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "merchantId" TEXT NOT NULL,
  "endpointId" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "clientOrderId" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "reasonCode" INTEGER CHECK ("reasonCode" BETWEEN -9007199254740991 AND 9007199254740991),
  "reasonMessage" TEXT,
  "currency" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "period" TEXT NOT NULL,
  "interval" INTEGER NOT NULL CHECK ("interval" BETWEEN -9007199254740991 AND 9007199254740991),
  "anchorDay" TEXT NOT NULL,
  "finishDay" TEXT,
  "occurrences" INTEGER CHECK ("occurrences" BETWEEN -9007199254740991 AND 9007199254740991),
  "timeZone" TEXT NOT NULL,
  "next" INTEGER NOT NULL CHECK ("next" BETWEEN -9007199254740991 AND 9007199254740991),
  "sealedPan" BLOB NOT NULL,
  "panHash" TEXT NOT NULL,
  "bin" TEXT NOT NULL,
  "lastFour" TEXT NOT NULL,
  "cardType" TEXT NOT NULL,
  "cardholder" TEXT NOT NULL,
  "expireMonth" INTEGER NOT NULL CHECK ("expireMonth" BETWEEN -9007199254740991 AND 9007199254740991),
  "expireYear" INTEGER NOT NULL CHECK ("expireYear" BETWEEN -9007199254740991 AND 9007199254740991),
  "description" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "phone" TEXT,
  "ipAddress" TEXT NOT NULL,
  "country" TEXT NOT NULL,
  "callbackUrl" TEXT,
  "notifyUrl" TEXT,
  "eventCount" INTEGER NOT NULL CHECK ("eventCount" BETWEEN -9007199254740991 AND 9007199254740991),
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991), "paused" INTEGER CHECK ("paused" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subscriptionId")
) STRICT;
INSERT INTO "subscriptions" VALUES ('110664194461761543', 2, 'sandbox-merchant', '1001', '110664194461761544', 'club', 'active', NULL, NULL, 'USD', 1042, 'monthly', 1, '2026-11-09', NULL, NULL, 'UTC', 1, X'0100000001D092C6D230666BBD95A09210ABDBA6840E1763CF5C624F4607340F939D9E2E02A4B788AFAB4C2CA862FDE21683243F7E81FDB6F0A539A175818EA698177792717571C6950006F924A970012F5D89091635F05E0B97DE7FEB64AD5FAA40B7077790730CB8353F3DD2', 'v1.b6ONhBjDoGF9ChY1fjcHI_iL45kxWtX5yTp3yTezGZA', '444433', '1111', 'VISA', '', 12, 2099, '', 'john.smith@gmail.com', NULL, '', 'US', NULL, NULL, 0, 1794214800000, NULL);

CREATE UNIQUE INDEX "subscriptions.order" ON "subscriptions" ("orderId");

CREATE INDEX "subscriptions.merchant" ON "subscriptions" ("merchantId", "subscriptionId");

CREATE INDEX "subscriptions.state" ON "subscriptions" ("state", "subscriptionId");

CREATE TABLE "occurrences" (
  "subscriptionId" TEXT NOT NULL,
  "n" INTEGER NOT NULL CHECK ("n" BETWEEN -9007199254740991 AND 9007199254740991),
  "day" TEXT NOT NULL,
  "progress" TEXT NOT NULL,
  "orderId" TEXT,
  "attempts" INTEGER NOT NULL CHECK ("attempts" BETWEEN -9007199254740991 AND 9007199254740991),
  "firstAtMs" INTEGER CHECK ("firstAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "nextTryAtMs" INTEGER CHECK ("nextTryAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "reason" TEXT,
  "endedAtMs" INTEGER CHECK ("endedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("subscriptionId", "n")
) STRICT;
INSERT INTO "occurrences" VALUES ('110664194461761543', 0, '2026-11-09', 'charged', '110664194461761544', 1, 1794214800000, NULL, NULL, 1794214800000);

CREATE TABLE "restorations" (
  "name" TEXT NOT NULL,
  "restoredAtMs" INTEGER NOT NULL CHECK ("restoredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "startedAtMs" INTEGER CHECK ("startedAtMs" BETWEEN -9007199254740991 AND 9007199254740991), "lastCommitAtMs" INTEGER CHECK ("lastCommitAtMs" BETWEEN -9007199254740991 AND 9007199254740991), "enumeratedAtMs" INTEGER CHECK ("enumeratedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("name")
) STRICT, WITHOUT ROWID;

CREATE TABLE "resolutions" (
  "requestId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "said" TEXT NOT NULL,
  "evidence" TEXT NOT NULL,
  "approvalCode" TEXT,
  "processorTxId" TEXT,
  "proposedBy" TEXT NOT NULL,
  "proposedAtMs" INTEGER NOT NULL CHECK ("proposedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "confirmedBy" TEXT,
  "confirmedAtMs" INTEGER CHECK ("confirmedAtMs" BETWEEN -9007199254740991 AND 9007199254740991), "amountMinor" INTEGER CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("requestId")
) STRICT;

CREATE INDEX "resolutions.order" ON "resolutions" ("orderId", "requestId");

CREATE TABLE "daybalances" (
  "account" TEXT NOT NULL,
  "dayStartMs" INTEGER NOT NULL CHECK ("dayStartMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "openingMinor" INTEGER NOT NULL CHECK ("openingMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("account", "dayStartMs")
) STRICT, WITHOUT ROWID;

CREATE INDEX "payouts.erased" ON "payouts" ("erasedAtMs", "createdAtMs", "orderId");

CREATE TABLE "bankbookings" (
  "source" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "orderId" TEXT NOT NULL,
  "merchantId" TEXT,
  "clientOrderId" TEXT,
  "kind" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "currency" TEXT NOT NULL,
  "bookedAtMs" INTEGER NOT NULL CHECK ("bookedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "result" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "foundAtMs" INTEGER NOT NULL CHECK ("foundAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedAtMs" INTEGER CHECK ("closedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedBy" TEXT,
  "note" TEXT,
  PRIMARY KEY ("source", "reference")
) STRICT;

CREATE INDEX "bankbookings.order" ON "bankbookings" ("orderId", "reference", "source");

CREATE INDEX "bankbookings.clientOrder" ON "bankbookings" ("merchantId", "clientOrderId", "source", "reference");

CREATE INDEX "bankbookings.state" ON "bankbookings" ("state", "bookedAtMs", "reference", "source");

CREATE TABLE "enumerations" (
  "source" TEXT NOT NULL,
  "restoredAtMs" INTEGER NOT NULL CHECK ("restoredAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "fromMs" INTEGER NOT NULL CHECK ("fromMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "toMs" INTEGER NOT NULL CHECK ("toMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "bookings" INTEGER NOT NULL CHECK ("bookings" BETWEEN -9007199254740991 AND 9007199254740991),
  "forgotten" INTEGER NOT NULL CHECK ("forgotten" BETWEEN -9007199254740991 AND 9007199254740991),
  "after" TEXT,
  "doneAtMs" INTEGER CHECK ("doneAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "doneBy" TEXT,
  PRIMARY KEY ("source")
) STRICT, WITHOUT ROWID;

CREATE TABLE "banktasks" (
  "taskId" TEXT NOT NULL,
  "version" INTEGER NOT NULL CHECK ("version" BETWEEN -9007199254740991 AND 9007199254740991),
  "source" TEXT NOT NULL,
  "orderId" TEXT NOT NULL,
  "merchantId" TEXT NOT NULL,
  "clientOrderId" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "reversalReference" TEXT,
  "answer" TEXT NOT NULL,
  "orderState" TEXT NOT NULL,
  "amountMinor" INTEGER NOT NULL CHECK ("amountMinor" BETWEEN -9007199254740991 AND 9007199254740991),
  "currency" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "reversingAtMs" INTEGER CHECK ("reversingAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedAtMs" INTEGER CHECK ("closedAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  "closedBy" TEXT,
  "note" TEXT,
  PRIMARY KEY ("taskId")
) STRICT;
INSERT INTO "banktasks" VALUES ('110664194461761536-hold.declined', 1, 'bank', '110664194461761536', 'sandbox-merchant', 'task', '110664194461761536-cancel-1', NULL, 'declined', 'authorized', 1042, 'USD', 'open', 1794214800000, NULL, NULL, NULL, NULL);

CREATE INDEX "banktasks.order" ON "banktasks" ("orderId", "taskId");

CREATE INDEX "banktasks.state" ON "banktasks" ("state", "createdAtMs", "taskId");

CREATE INDEX "agenda.turn" ON "agenda" ("kind", "merchantId", "dueAtMs", "itemId");

CREATE TABLE "standing" (
    "one" INTEGER PRIMARY KEY CHECK ("one" = 1),
    "storeId" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "committedAtMs" INTEGER NOT NULL,
    "createdAtMs" INTEGER NOT NULL
  ) STRICT
;
INSERT INTO "standing" VALUES (1, '22ff2958-ac62-407b-a673-5162cf51a496', 'open', '92ef02b9-2ef2-48cc-84b9-26ccd8366fdf 65024:2285770 2013 4e970b13-16f4-4408-b505-d36a6efba08a 2893503', 32, 1794214800000, 1793610000000);
