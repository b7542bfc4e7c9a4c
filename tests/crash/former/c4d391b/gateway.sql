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
INSERT INTO "orders" VALUES ('110664194459086848', 4, 'sandbox-merchant', '1001', 'task', '110664194459086849', 'preauth', 'cardholder', 1, 'authorized', 'USD', 1042, 1042, 0, 0, 0, 0, 0, 0, 0, 1, NULL, NULL, NULL, '000001', 'PNTEST-110664194459086848', '444401', '0007', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1793610000000, 1793610000000, 1794214800000, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086851', 2, 'sandbox-merchant', '1001', 'card-stored', '110664194459086852', 'sale', 'cardholder', 1, 'settled', 'USD', 1042, 1042, 1042, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, '000003', 'PNTEST-110664194459086851', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086856', 2, 'sandbox-merchant', '1001', 'club', '110664194459086857', 'sale', 'cardholder', 1, 'settled', 'USD', 1042, 1042, 1042, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, '000004', 'PNTEST-110664194459086856', '444433', '1111', 'VISA', '', 12, 2099, '', 'john.smith@gmail.com', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, NULL, NULL, 'SANDBOX USD', '110664194459086855', 0);
INSERT INTO "orders" VALUES ('110664194459086858', 2, 'sandbox-merchant', '1001', 'preauth-held', '110664194459086859', 'preauth', 'cardholder', 1, 'authorized', 'USD', 1042, 1042, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, '000005', 'PNTEST-110664194459086858', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, 1794819600000, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086860', 1, 'sandbox-merchant', '1102', '3ds-challenge', '110664194459086861', 'sale', 'cardholder', 1, 'authenticating', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '444400', '8888', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, 'https://shop.example/back', NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX 3DS', NULL, 1);
INSERT INTO "orders" VALUES ('110664194459086862', 1, 'sandbox-merchant', '1001', 'page-open', '110664194459086863', 'sale', 'cardholder', 0, 'registered', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '', '', '', '', 0, 0, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, 'https://shop.example/back', NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086864', 1, 'sandbox-merchant', '1201', 'payout-waiting', '110664194459086865', 'payout', 'merchant', 0, 'waiting', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '', '', '', '', 0, 0, '', '', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, NULL, NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086866', 2, 'sandbox-merchant', '1001', 'payout-checked', '110664194459086867', 'payout', 'merchant', 0, 'checked', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '', '', '', '', 0, 0, '', '', NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086868', 2, 'sandbox-merchant', '1001', 'sale-not-told', '110664194459086869', 'sale', 'cardholder', 1, 'settled', 'USD', 1042, 1042, 1042, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, '000006', 'PNTEST-110664194459086868', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, 'http://shop.example/callback', NULL, 1, 1794214800000, 1794214800000, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086870', 2, 'sandbox-merchant', '1001', 'sale-unknown', '110664194459086871', 'sale', 'cardholder', 1, 'unknown', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '444401', '0002', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, 'http://shop.example/callback', NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086873', 2, 'sandbox-merchant', '1001', 'sale-never-arrived', '110664194459086874', 'sale', 'cardholder', 1, 'unknown', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '444401', '0009', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086876', 3, 'sandbox-merchant', '1001', 'capture-under-way', '110664194459086877', 'preauth', 'cardholder', 1, 'authorized', 'USD', 1042, 1042, 0, 0, 600, 0, 1, 0, 0, 1, NULL, NULL, NULL, '000008', 'PNTEST-110664194459086876', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, NULL, NULL, 0, 1794214800000, 1794214800000, 1794819600000, NULL, 'SANDBOX USD', NULL, 0);
INSERT INTO "orders" VALUES ('110664194459086879', 1, 'sandbox-merchant', '1001', 'sale-not-asked', '110664194459086880', 'sale', 'cardholder', 1, 'authorizing', 'USD', 1042, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, 'Two tickets', 'john.smith@gmail.com', '+12125550123', '203.0.113.7', NULL, NULL, NULL, NULL, 'http://shop.example/callback', NULL, 0, 1794214800000, NULL, NULL, NULL, 'SANDBOX USD', NULL, 0);

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
INSERT INTO "requests" VALUES ('110664194459086849', 'sandbox-merchant', '110664194459086848', 'PREAUTH', 'authorize', 0, 1042, 1, 'approved', 'v1.LvBcoiXvMftgB-Un09W6e2vYoVYefaN0msYoe7mAdpM', NULL, NULL, NULL, NULL, 1793610000000, 1793610000000);
INSERT INTO "requests" VALUES ('110664194459086850', 'sandbox-merchant', '110664194459086848', 'LAPSE', 'cancel', 1, 1042, 0, 'declined', '', NULL, 100, 'Do not honour', NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194459086852', 'sandbox-merchant', '110664194459086851', 'SALE', 'sale', 0, 1042, 1, 'approved', 'v1.bvcCq5ZxHj3gE7jLBSNbkfQdhVBIuxi2aqDByZtlDbg', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194459086857', 'sandbox-merchant', '110664194459086856', 'CREATE_RP_V4', 'sale', 0, 1042, 1, 'approved', 'v1.4szdAdBHCVKO3s5zAK_Z1X2LSqXgn1BCIFQoX2YeCBs', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194459086859', 'sandbox-merchant', '110664194459086858', 'PREAUTH', 'authorize', 0, 1042, 1, 'approved', 'v1.LQcOfbkPV38k29oKHdp5GhG8jMZ8KbF6dJfMaWEBAjM', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194459086861', 'sandbox-merchant', '110664194459086860', 'SALE', 'sale', 0, 1042, 1, 'moving', 'v1.LKtiTzYUO-2tbzhMS0xap_j3nHmyhu5R9131zz4LI8Y', NULL, NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194459086863', 'sandbox-merchant', '110664194459086862', 'SALEFORM', 'sale', 0, 1042, 1, 'moving', 'v1.xgSoja1XUqkPQRol2GMnQCCSaTn954xmQSJcVWg5dLk', NULL, NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194459086865', 'sandbox-merchant', '110664194459086864', 'PAYOUT', 'pay', 0, 1042, 1, 'moving', 'v1.rcjEAJj3EVDH4e_ugy28zCurARWNf1xoL_BXAll6IrE', NULL, NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194459086867', 'sandbox-merchant', '110664194459086866', 'PAYOUT_V4_CHECK', 'check', 0, 1042, 1, 'approved', 'v1.eCDzZ20KbUltToZTnsERhKocvOzPnBGV1lx_rZRLorI', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194459086869', 'sandbox-merchant', '110664194459086868', 'SALE', 'sale', 0, 1042, 1, 'approved', 'v1.wXD-1EN-AbmS-rKc0EGgULmMKye4NM_8FZokwSXX7sM', NULL, NULL, NULL, 'http://shop.example/callback', 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194459086871', 'sandbox-merchant', '110664194459086870', 'SALE', 'sale', 0, 1042, 1, 'unknown', 'v1.GMbHXwMHEiPlHothZbiEXU9wqp3SyDpT1_ZwTBC7qGo', NULL, NULL, NULL, 'http://shop.example/callback', 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194459086874', 'sandbox-merchant', '110664194459086873', 'SALE', 'sale', 0, 1042, 1, 'unknown', 'v1.kel_KTudlAxzYsed-2d2f5Jrnvsl0M1DZ_-A0dn4mVg', NULL, NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194459086877', 'sandbox-merchant', '110664194459086876', 'PREAUTH', 'authorize', 0, 1042, 1, 'approved', 'v1._JghygFxN2bbVQhDc-_96L22Mjq_-Ju9gAn61Vq5xjE', NULL, NULL, NULL, NULL, 1794214800000, 1794214800000);
INSERT INTO "requests" VALUES ('110664194459086878', 'sandbox-merchant', '110664194459086876', 'CAPTURE', 'capture', 1, 600, 1, 'moving', 'v1.jfz7Nms_sxCEpNTXe9VT_V-vPphO2UXWMbuhauOHYBg', 'capture-under-way/1', NULL, NULL, NULL, 1794214800000, NULL);
INSERT INTO "requests" VALUES ('110664194459086880', 'sandbox-merchant', '110664194459086879', 'SALE', 'sale', 0, 1042, 1, 'moving', 'v1.B7rHRTkcHuxtnNmKdxX5UQD8MUZZiEaCEV69_Ud03K8', NULL, NULL, NULL, 'http://shop.example/callback', 1794214800000, NULL);

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
INSERT INTO "cards" VALUES ('110664194459086848', 'sandbox-merchant', X'01000000014E93932D5B1D89D561485C93BC05AB2106DF835789BEEAAE5494EACD9EE23685FCE95CB25758E4CB022A0E6EE5A69B7D4FD7837652C784C5F9798508A4A19EC23BF05FB53EFB2309FECB70A74A40B12F18376ADB4048F733F8496BC74C59DB22DC544397CEE65BDA', 'v1.sBdbAw04F-2MD2c3pH5Y9uTzASzQUG9H1lUJsdKhXww', 1793610000000);
INSERT INTO "cards" VALUES ('110664194459086851', 'sandbox-merchant', X'0100000001368B77FD94AFC6286389CF516576B69D98C2E07B64587D070F78A5EDE10E92EC8B81E8814EB9EF8A72B066D79528E40B90E822755B9D2C254D81CC6B9B79A69EA281AEBEE77FFC5C60A37C857AEE51450ADA55FB6CD5AA8C4A360E5568B69607FEF68BE38A7128C2', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);
INSERT INTO "cards" VALUES ('110664194459086856', 'sandbox-merchant', X'0100000001B36CD3388EF353EB917E7F3794FA490F23C13FBF2718B32E6C15F00BC244468024692481B953833EDC477F0CC0871751D111EDE10A92986CD83297475D8160A0D37BA1B2533E6F724CB775CC1E7F284C91FCD63617A455C11F651655D90DB9BE772C928A6772C267', 'v1.b6ONhBjDoGF9ChY1fjcHI_iL45kxWtX5yTp3yTezGZA', 1794214800000);
INSERT INTO "cards" VALUES ('110664194459086858', 'sandbox-merchant', X'0100000001BEF2E653670357BF662BE0E57C514AB5776197B4B5D69A0F8E3BD204CE99CD1B40AD747FF9EE83971AA9D1C0DB37EE16F3231F4D76E2381ACFC10123F53E48CE59CBD41804EBF5203138DC4B780269C41F56BC2A9DAE18EEB5FFD6768C5A5B4E4B8C1B137AE78020', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);
INSERT INTO "cards" VALUES ('110664194459086860', 'sandbox-merchant', X'0100000001CD7BA751258DB55E2D6F9026FFA1F30E8BFF8180C45AE8290876ADA2518EFFE61542F6646E547F0B9993CA8D6ACD0271CAC63DE0531AA75D4DD8EC2E7992EC132F7676CC07E3983335F97ED465FE87FB08D0EFB3986F24B7655B29838ED82677ACF286E0EAD23118', 'v1.KxOwDYqv5KIv0GFz3shEr_UwGqF8laInkcbfgPn352A', 1794214800000);
INSERT INTO "cards" VALUES ('110664194459086868', 'sandbox-merchant', X'0100000001AE0FC62D2523270A08D5ADED396E082D764342D3E47F97309C21073B0EA91A4B57011F3F256F2C0642BDD5E1A8B8664258262E8B719205D6F47DC3DEBCCF8452C17CBFCA00217701B5040874E623D4BC4CE0BEF277812194AE65D5E28EB47FC708117AC8E61A1720', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);
INSERT INTO "cards" VALUES ('110664194459086870', 'sandbox-merchant', X'0100000001579C0A8D7B186D978067D00A00708A087F3C3374E9584647157768AD1FFD40E4FBBE60FBA7F31EDF45032D91F06E9EC44CB96A3A51836F38F32C258476003F38EF719DFED586110BAB403675CD16165F19D428605164F5032357DD7371DE3BB342CAD148756CCE21', 'v1.M2AeN1RNCSzbGOep25ZeAF29oJgzNtxnUCLmdkPms9w', 1794214800000);
INSERT INTO "cards" VALUES ('110664194459086873', 'sandbox-merchant', X'0100000001835281FB3693A1F41A69877E98915508D7BCEF45264368ED48B0D74DF8B43039C506D5C942AED4DEFE367FCECE19E70D702EDC94158205D1553AB5EC1655C0CC2EBA41CD1ED0CD24491ABED00B473F8892268BE8D0E7B1FC5B95F9152B71076A8C5BD996668643F5', 'v1.if3-4yrN5sIcYGPCt722fNtOwL5VwpB4nkIMoButC7w', 1794214800000);
INSERT INTO "cards" VALUES ('110664194459086876', 'sandbox-merchant', X'0100000001937CFF39B9903351ED16244065880E4B781CFFD7FDF639C540E50F3FA9E270B766132F53A428A48CB4623082F298017F2F1012D5032E439AA088A2E5BAD0FFCA6F173310975176D8BD7F43E30F2DAAAE08EA936D993FB2AAEEEE47E80C039ABE8007F07C6A72B37C', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);
INSERT INTO "cards" VALUES ('110664194459086879', 'sandbox-merchant', X'0100000001ECED80AFBC720B731D2C5097FF4F55036C3FD2CA3E8F2A13B23A84D2318B45B481E13697207CF7324CCEFEBBAB3869E563E07D49F5BF380171CD04819BFFE1523C5D4A302B34935759398F4A148B4BA1B9709DB3E4CBB0597A0EA318548A9B4CE27C4D4B2F4A8DC3', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', 1794214800000);

CREATE INDEX "cards.pan" ON "cards" ("merchantId", "panHash", "cardId");

CREATE TABLE "cvvs" (
  "cardId" TEXT NOT NULL,
  "sealed" BLOB NOT NULL,
  "createdAtMs" INTEGER NOT NULL CHECK ("createdAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("cardId")
) STRICT, WITHOUT ROWID;
INSERT INTO "cvvs" VALUES ('110664194459086860', X'02895B85243C7C59ACB9B101F8EDE1B50D22FD48121AE237720F0289C5C2C09E1161E45048C2CB8B70DCBB1578C8E5543168F9FC30417A16F1700CD02F6BA5ACA17B09DD3DEA03FD82154FA95D27E267F2C07863F41AC207B4F00269D1538936', 1794214800000);
INSERT INTO "cvvs" VALUES ('110664194459086870', X'02895B85243989A2252FD79E5FE651BDD26A6C1AA6A7219E07055171C4EDCDE1A84E664D6E56291BF04A91B771EF5621B3857EC74D07F34B9CF1580F6A67FF08D7AB4E89ED93193782C211410E5EE3817B8D74399E36DA3449C561FB14E60354', 1794214800000);
INSERT INTO "cvvs" VALUES ('110664194459086873', X'02895B852495C8A10B03FDB830FF01065257A06BEC9C30431F37D2AD06FF39AADBCF1C8D814F9629712E6644F0C56499C547A1ECB9ACD6C0A847FEB9430FA106CAB64DE459B68095A1365AE8027FBFF3E087BD80BD85B4A5F680AC1FEA6578C4', 1794214800000);
INSERT INTO "cvvs" VALUES ('110664194459086879', X'02895B8524E6EF650C3ACF7241D743AF74EF295693361F62BC5FF1CA8B32B4E952B401CFD51AC7B8E09A03287AF83D5E72DC4449F0506C4B2E3017D3D1BC01A07C5568BC5CCA34ED0567AB5BFBBB55937F9DFEB07A51BD6FCCC2567DE645F12B', 1794214800000);

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
INSERT INTO "cardrefs" VALUES ('110664194459086853', 1, 'sandbox-merchant', X'0100000001BA0867C5FD0C316ECCA065A3A05E2380E7FA9146F36AC1A47F0C7EA6AB4A769D5B9C27BD23A13E68923465423847F731375FC068ED6211832CDD3F250EC95A2BC2D4927AD4C23377EE8301A45FFDA57741A6E3FB8347A9947BF7FFF74655DEE990997A13886D8E4C', 'v1.Xrvgh6qlkF502hNr0VPXZytmyNXOZF3k0y6eagbPkRY', '444433', '1111', 'VISA', 'JOHN SMITH', 12, 2030, '110664194459086851', 1, 1794214800000, NULL);

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
INSERT INTO "authentications" VALUES ('110664194459086860', 3, 'merchant', 'challenge', 1, '2.2.0', 'RpF4FCmUPJcjdJhC-IWYDTFk7PpjaMQl', 'b3fc2b01-23f9-81e4-9cac-faf698f6b752', NULL, 'U', '{"acceptHeader":"text/html,application/xhtml+xml","ip":"203.0.113.7","javaEnabled":false,"javascriptEnabled":true,"language":"en-US","colorDepth":"24","screenHeight":1080,"screenWidth":1920,"timeZoneMinutes":-60,"userAgent":"Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}', 'http://127.0.0.1/acs/challenge', '2ffd7956-9b98-8a38-a1e7-64333f954d78', 'eyJtZXNzYWdlVHlwZSI6IkNSZXEiLCJtZXNzYWdlVmVyc2lvbiI6IjIuMi4wIiwidGhyZWVEU1NlcnZlclRyYW5zSUQiOiJiM2ZjMmIwMS0yM2Y5LTgxZTQtOWNhYy1mYWY2OThmNmI3NTIiLCJhY3NUcmFuc0lEIjoiMmZmZDc5NTYtOWI5OC04YTM4LWExZTctNjQzMzNmOTU0ZDc4In0', NULL, NULL, NULL, NULL, NULL, NULL, 1794215400000, NULL, NULL, NULL);

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
INSERT INTO "formsessions" VALUES ('EvWwQMt4EMhkJMn7mu0HxpQJQ9mSig0H', 1, '110664194459086862', 'sale', 'US', 0, 3, NULL, 0, 1794216600000, NULL, NULL);

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
INSERT INTO "ledger" VALUES ('110664194459086849:hold:authorised', '110664194459086848', '110664194459086849', 'hold', 'sandbox-merchant/1001/USD/authorised', 1042, 1793610000000);
INSERT INTO "ledger" VALUES ('110664194459086849:hold:authorised_contra', '110664194459086848', '110664194459086849', 'hold', 'sandbox-merchant/1001/USD/authorised_contra', -1042, 1793610000000);
INSERT INTO "ledger" VALUES ('110664194459086852:sale:acquirer_receivable', '110664194459086851', '110664194459086852', 'sale', 'sandbox-merchant/1001/USD/acquirer_receivable', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086852:sale:merchant_settlement', '110664194459086851', '110664194459086852', 'sale', 'sandbox-merchant/1001/USD/merchant_settlement', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086857:sale:acquirer_receivable', '110664194459086856', '110664194459086857', 'sale', 'sandbox-merchant/1001/USD/acquirer_receivable', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086857:sale:merchant_settlement', '110664194459086856', '110664194459086857', 'sale', 'sandbox-merchant/1001/USD/merchant_settlement', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086859:hold:authorised', '110664194459086858', '110664194459086859', 'hold', 'sandbox-merchant/1001/USD/authorised', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086859:hold:authorised_contra', '110664194459086858', '110664194459086859', 'hold', 'sandbox-merchant/1001/USD/authorised_contra', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086865:payoutHold:payout_available', '110664194459086864', '110664194459086865', 'payoutHold', 'sandbox-merchant/1201/USD/payout_available', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086865:payoutHold:payout_held', '110664194459086864', '110664194459086865', 'payoutHold', 'sandbox-merchant/1201/USD/payout_held', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086867:payoutHold:payout_available', '110664194459086866', '110664194459086867', 'payoutHold', 'sandbox-merchant/1001/USD/payout_available', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086867:payoutHold:payout_held', '110664194459086866', '110664194459086867', 'payoutHold', 'sandbox-merchant/1001/USD/payout_held', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086869:sale:acquirer_receivable', '110664194459086868', '110664194459086869', 'sale', 'sandbox-merchant/1001/USD/acquirer_receivable', -1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086869:sale:merchant_settlement', '110664194459086868', '110664194459086869', 'sale', 'sandbox-merchant/1001/USD/merchant_settlement', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086877:hold:authorised', '110664194459086876', '110664194459086877', 'hold', 'sandbox-merchant/1001/USD/authorised', 1042, 1794214800000);
INSERT INTO "ledger" VALUES ('110664194459086877:hold:authorised_contra', '110664194459086876', '110664194459086877', 'hold', 'sandbox-merchant/1001/USD/authorised_contra', -1042, 1794214800000);
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
INSERT INTO "agenda" VALUES ('bank:110664194459086871', 'bank', '110664194459086871', 1794214805000, 1, 1, 1794214800000, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('bank:110664194459086874', 'bank', '110664194459086874', 1794214805000, 1, 1, 1794214800000, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('bank:110664194459086878', 'bank', '110664194459086878', 1794214800000, 1, 0, 1794214800000, '65865cb42e502106af4b0fb26e1309a9', 1794214920000, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('bank:110664194459086880', 'bank', '110664194459086880', 1794214800000, 1, 0, 1794214800000, 'be55b000d72ca9121034e9d61936bac0', 1794214920000, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('callback:110664194459086868-1', 'callback', '110664194459086868-1', 1794214920000, 0, 1, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194459086848', 'lapse', '110664194459086848', 1794301200000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194459086858', 'lapse', '110664194459086858', 1794819600000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194459086864', 'lapse', '110664194459086864', 1794301200000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194459086866', 'lapse', '110664194459086866', 1794301200000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('lapse:110664194459086876', 'lapse', '110664194459086876', 1794819600000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('recurring:110664194459086855', 'recurring', '110664194459086855', 1796774400000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('session:110664194459086862', 'session', '110664194459086862', 1794216600000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');
INSERT INTO "agenda" VALUES ('threeds:110664194459086860', 'threeds', '110664194459086860', 1794215400000, 0, 0, NULL, NULL, 0, 'sandbox-merchant');

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
INSERT INTO "callbacks" VALUES ('110664194459086868-1', 'sandbox-merchant', '110664194459086868', '110664194459086869', 1, 'http://shop.example/callback', 'status=approved&orderid=110664194459086868&client_orderid=sale-not-told&merchant_order=sale-not-told&type=sale&amount=10.42&currency=USD&serial-number=00000000-0000-0000-0189-287fa016b015&descriptor=SANDBOX%20USD&bin=444433&last-four-digits=1111&card-type=VISA&approval-code=000006&processor-tx-id=PNTEST-110664194459086868', 'pending', 1, 1794214800000, 0, 'no connection', 1794214800000, NULL);

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
INSERT INTO "callbackTries" VALUES ('110664194459086868-1', 1, 'attempt', 1794214800000, 'no connection');

CREATE INDEX "callbackTries.at" ON "callbackTries" ("atMs", "eventId", "number", "what");

CREATE TABLE "nonces" (
  "consumerKey" TEXT NOT NULL,
  "nonce" TEXT NOT NULL,
  "seenAtMs" INTEGER NOT NULL CHECK ("seenAtMs" BETWEEN -9007199254740991 AND 9007199254740991),
  PRIMARY KEY ("consumerKey", "nonce")
) STRICT, WITHOUT ROWID;
INSERT INTO "nonces" VALUES ('sandbox-merchant', '6cfda630-f31a-4bc0-95b2-f8a43140789e', 1793610000000);
INSERT INTO "nonces" VALUES ('sandbox-merchant', 'aac4d200-cb43-43d2-90c3-6d98e89d1e6f', 1793610000000);
INSERT INTO "nonces" VALUES ('sandbox-merchant', 'd4b1b408-6a6b-4adb-b60f-382a32c9c0af', 1793610000000);

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
INSERT INTO "evidence" VALUES ('110664194459086872', '110664194459086870-sale-0', '110664194459086870', '{"_tag":"Lost","reason":"The simulated bank''s answer was lost"}', 1794214800000);
INSERT INTO "evidence" VALUES ('110664194459086875', '110664194459086873-sale-0', '110664194459086873', '{"_tag":"Lost","reason":"The simulated bank''s answer was lost"}', 1794214800000);

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
INSERT INTO "merchantkeys" VALUES ('sandbox-merchant/control-1', 1, 'sandbox-merchant', 'control', 1, 'v1.05BZMKkafObadXQrR0Zi4TZUjl6h0mtK6Xaq1kaAH0A', 'AQAAAAGA6l3wdSw-k9fnT7O9WvcjX22B_8fZueq6W4NjdPWbVBTy3Jegjh-tLKwpNWeZExLG_aOdPiP0aDHTUEpe1caS58AZ-uwI35nm6wfawv5z7h3yS-X6NgLZlH17thkspicwS_Rz5FqyxzbDBQatTyF04F7dwaTFdQO0c5Lx', 'file', 1793610000000, 1793610000000, NULL, NULL);

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
INSERT INTO "payouts" VALUES ('110664194459086864', 1, 'sandbox-merchant', 'account', X'010000000136CD337DEDB7D96E54F55461043E7AB91A8F3791DAA4E894E8C783495B89695CB4F81FDD9D5EC8D2E80F5B96F944301991AF72A1804F6B11719F8C3F033BEA146E1E7F4E634B95C15A9292FB977F8AD73EA72AB8439A0BC3962DD5DCE6487F01D1C834AB09D8E0D2D82E673780FCFB5FF7A24AB46DFB5549D5474124CA5E08E89EFF13D5DD9C35E750F32B7A0AA4A4D7254BD8D140E9C9BB69', 'v1.rendrMJlQcGpjLKeXSm5p_lN_Ak2ZllaSrdBQA7w6jk', 'DE****************3000', '', '', '', NULL, NULL, 1794214800000, NULL);
INSERT INTO "payouts" VALUES ('110664194459086866', 1, 'sandbox-merchant', 'account', X'010000000155F01C00FAE541D411EFD4800845F41500E9A62FF5987BA973032802AF16B6CB37D45DBB8B556A2964DC87374196EF4BCC11845E85946FE3761897ADD3DB4F4FB96EF2FC88E0C598E3D01063086DB4F14D53202EE6B3820AC1C987106E036A7317F24B7FF7E58828D64BDA244E57BC0D850161FB595A238DBE264A069FC22902A32807DDCC67985FB6D126BA031BE417C21DB35BAB4E17A140', 'v1.rendrMJlQcGpjLKeXSm5p_lN_Ak2ZllaSrdBQA7w6jk', 'DE****************3000', '', '', '', NULL, NULL, 1794214800000, NULL);

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
INSERT INTO "approvals" VALUES ('110664194459086864', 1, 'sandbox-merchant', '110664194459086865', 'waiting', 1794214800000, 1794301200000, NULL, NULL, NULL);

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
INSERT INTO "subscriptions" VALUES ('110664194459086855', 2, 'sandbox-merchant', '1001', '110664194459086856', 'club', 'active', NULL, NULL, 'USD', 1042, 'monthly', 1, '2026-11-09', NULL, NULL, 'UTC', 1, X'0100000001AFF53B8B5B2AA9F96CC7342E1966A80FDAA944892CCD63280E40158BB8E5A9107E42CA26385B982EABAFE3286F739328D2FFB29BF5373F0B8B2492A9C3339B6E7D92F887EB69A13683D3DDE1DBBE6E4A6534FAAAFAF9255ECDD083A8004D0E262FB748A90C64022E', 'v1.b6ONhBjDoGF9ChY1fjcHI_iL45kxWtX5yTp3yTezGZA', '444433', '1111', 'VISA', '', 12, 2099, '', 'john.smith@gmail.com', NULL, '', 'US', NULL, NULL, 0, 1794214800000, NULL);

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
INSERT INTO "occurrences" VALUES ('110664194459086855', 0, '2026-11-09', 'charged', '110664194459086856', 1, 1794214800000, NULL, NULL, 1794214800000);

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
INSERT INTO "banktasks" VALUES ('110664194459086848-hold.declined', 1, 'bank', '110664194459086848', 'sandbox-merchant', 'task', '110664194459086848-cancel-1', NULL, 'declined', 'authorized', 1042, 'USD', 'open', 1794214800000, NULL, NULL, NULL, NULL);

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
INSERT INTO "standing" VALUES (1, 'aca17434-7296-45a1-a86b-51f99862c10d', 'open', '5552daec-6146-4813-8f3c-cfdb7e77e3c7 65024:2286008 2852 4e970b13-16f4-4408-b505-d36a6efba08a 2900922', 32, 1794214800000, 1793610000000);
