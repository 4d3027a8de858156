/** Meaning and unit of the lists of an account's history, and of the pages that they come in. */
export const historyMeanings: Readonly<Record<string, string>> = {
  'page.from_time_ms': 'Earliest block time, included, ms since 1970; the oldest that is kept where it is left out.',
  'page.to_time_ms': 'Latest block time, included, ms since 1970; that of the newest block where it is left out.',
  'page.market_id': 'Market whose entries are wanted; all where it is left out.',
  cursor: 'The `next` of the page before; the newest page where it is left out.',
  oldest_ms: 'Time of the oldest block that the node can tell of, ms since 1970.',
  time_ms: 'Time of the block, ms since 1970.',
  'primeorders_getFills.address': 'The account.',
  'primeorders_getOrderHistory.address': 'The account.',
  'primeorders_getFunding.address': 'The account.',
  'primeorders_getTransfers.address': 'The account.',
  'primeorders_getLiquidations.address': 'The account.',
  // Parameters
  'NetworkParameters.block_number': 'Height of the block after which they are in force.',
  'NetworkParameters.chain_id': 'Number of the chain.',
  'NetworkParameters.consensus': 'Times and limits of blocks.',
  'NetworkParameters.evm': 'Gas limit and first base fee.',
  'NetworkParameters.clob': 'Rules of the order book; margin is that of markets without their own.',
  'NetworkParameters.markets': 'What holds in each market, by id.',
  'MarketParameters.status': 'Whether the market takes orders.',
  'prime_getParameters.block': 'The block after which they are in force; the newest one where it is left out.',
  // Fills
  fills: 'The last first.',
  'AccountFill.trade_id': 'Number of the trade; null for deleveraging, which is none.',
  'AccountFill.order_id':
    'The account’s own order, or the number that its position in liquidation took; null where its position was closed against that of another account.',
  'AccountFill.side': 'What the account did: buy or sell.',
  'AccountFill.price': 'Price of the trade, wei of the quote per base unit; null for deleveraging.',
  'AccountFill.value': 'What the size was bought or sold for, wei.',
  'AccountFill.fees':
    'What the account paid, wei; negative is a rebate. Of a position in liquidation, what the insurance fund got.',
  'AccountFill.liquidity': 'maker where its order rested, taker where it came to another one; null for deleveraging.',
  'AccountFill.kind': 'trade, liquidation or deleveraging.',
  'AccountFill.transaction_hash': 'Action or transaction that caused it; null for what the block does by itself.',
  // Orders
  'OrderHistory.orders': 'The last first, by when they ended.',
  'EndedOrder.status': 'filled, cancelled, or killed (a fok that found too little).',
  'EndedOrder.size': 'What it was made for, base units; of one that rested, less what was taken off it since.',
  'EndedOrder.remaining': 'Part of the size that was not filled when it ended, base units.',
  'EndedOrder.reason': 'Why the order ended before it was filled; null where it was filled.',
  'EndedOrder.closed_block': 'Height of the block in which it ended.',
  'EndedOrder.time_ms': 'Time of the block in which it ended, ms since 1970.',
  // Funding
  payments: 'The last first.',
  'FundingPayment.size': 'Position that it was for, base units; negative is short.',
  'FundingPayment.amount': 'What came to the collateral, wei; negative was paid.',
  'FundingPayment.index': 'Index of the market up to which the position is settled, 10^-9 wei per base unit.',
  'FundingPayment.transaction_hash': 'Action or transaction that caused it; null for what the block does by itself.',
  // Transfers
  transfers: 'The last first.',
  'CollateralTransfer.kind': 'deposit, withdrawal or transfer; of transfers of the bridge queued, completed or failed.',
  'CollateralTransfer.change': 'By how much it changed the account’s collateral, wei.',
  'CollateralTransfer.collateral': 'Collateral afterwards, wei; null where the entry does not tell it.',
  'CollateralTransfer.from': 'Account that pays; null for deposit and withdrawal.',
  'CollateralTransfer.to': 'Account that gets it; null for deposit and withdrawal.',
  'CollateralTransfer.transfer_id': 'Number of the transfer of the bridge; null for others.',
  'CollateralTransfer.direction': 'Of the bridge: evm_to_orders or orders_to_evm; null for others.',
  'CollateralTransfer.reason': 'Why a transfer of the bridge failed; else null.',
  'CollateralTransfer.transaction_hash':
    'Action or transaction that caused it; null for what the block does by itself.',
  // Liquidations
  liquidations: 'The last first.',
  'AccountLiquidation.kind': 'liquidation, deleveraging, debt_covered or bad_debt.',
  'AccountLiquidation.market_id': 'Number of the market; null for debts.',
  'AccountLiquidation.order_id':
    'Number that the account’s position in liquidation took, under which its trades are told; null for others.',
  'AccountLiquidation.size': 'Position of the account that was closed, base units; negative was short. Null for debts.',
  'AccountLiquidation.value': 'What the size of deleveraging was closed for, wei; null for others.',
  'AccountLiquidation.fee': 'What the account paid to the insurance fund, wei; null unless it is a liquidation.',
  'AccountLiquidation.insurance_paid':
    'What the insurance fund paid for the position, wei; null unless it is a liquidation.',
  'AccountLiquidation.counterparty': 'Account of the other position in deleveraging; null for others.',
  'AccountLiquidation.amount': 'Debt, wei; null unless it is one.',
  'AccountLiquidation.transaction_hash':
    'Action or transaction that caused it; null for what the block does by itself.',
};
