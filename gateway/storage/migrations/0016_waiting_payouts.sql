DROP INDEX "payouts.recipient";
