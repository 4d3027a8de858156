// Made by packages/sdk/scripts/generateMethods.mjs from the definitions of @prime/rpc. Do not edit: the build writes it anew.
import type { Hex } from 'viem';

/** A quantity that may be negative: `-0x1f`. */
export type SignedHex = Hex | `-${Hex}`;

/** Shape "AccountFill" of the interface. */
export type RpcAccountFill = {
  /** Number of the trade; null for deleveraging, which is none. */
  readonly trade_id: RpcQuantity | null;
  /** The account’s own order, or the number that its position in liquidation took; null where its position was closed against that of another account. */
  readonly order_id: RpcQuantity | null;
  /** Number of the market. */
  readonly market_id: number;
  /** What the account did: buy or sell. */
  readonly side: string;
  /** Price of the trade, wei of the quote per base unit; null for deleveraging. */
  readonly price: RpcQuantity | null;
  /** Size, base units. */
  readonly size: RpcQuantity;
  /** What the size was bought or sold for, wei. */
  readonly value: RpcQuantity;
  /** What the account paid, wei; negative is a rebate. Of a position in liquidation, what the insurance fund got. */
  readonly fees: RpcSignedQuantity;
  /** maker where its order rested, taker where it came to another one; null for deleveraging. */
  readonly liquidity: string | null;
  /** trade, liquidation or deleveraging. */
  readonly kind: string;
  /** Action or transaction that caused it; null for what the block does by itself. */
  readonly transaction_hash: RpcHash | null;
  /** Place of the event among those of the block, from 0. */
  readonly event_index: RpcQuantity;
  /** Height of the block. */
  readonly block_number: RpcQuantity;
  /** Time of the block, ms since 1970. */
  readonly time_ms: RpcQuantity;
};

/** Shape "AccountFills" of the interface. */
export type RpcAccountFills = {
  /** The last first. */
  readonly fills: readonly RpcAccountFill[];
  /** What the next page is asked for with; null on the last one. */
  readonly next: RpcCursor | null;
  /** Oldest block that was looked at; 1 where the node keeps all. */
  readonly oldest_block: RpcQuantity;
  /** Time of the oldest block that the node can tell of, ms since 1970. */
  readonly oldest_ms: RpcQuantity;
};

/** Shape "AccountLiquidation" of the interface. */
export type RpcAccountLiquidation = {
  /** liquidation, deleveraging, debt_covered, bad_debt or loss_settled. */
  readonly kind: string;
  /** Number of the market; null for debts. */
  readonly market_id: number | null;
  /** Number that the account’s position in liquidation took, under which its trades are told; null for others. */
  readonly order_id: RpcQuantity | null;
  /** Position of the account that was closed, or whose loss was settled, base units; negative is short. Null for debts. */
  readonly size: RpcSignedQuantity | null;
  /** What the size of deleveraging was closed for, or what the position counts as opened for after its loss was settled, wei; null for others. */
  readonly value: RpcQuantity | null;
  /** What the account paid to the insurance fund, wei; null unless it is a liquidation. */
  readonly fee: RpcQuantity | null;
  /** What the insurance fund paid for the position, wei; null unless it is a liquidation. */
  readonly insurance_paid: RpcQuantity | null;
  /** Account of the other position in deleveraging; null for others. */
  readonly counterparty: RpcAddress | null;
  /** Debt, or the loss that was settled, wei; null for others. */
  readonly amount: RpcQuantity | null;
  /** Action or transaction that caused it; null for what the block does by itself. */
  readonly transaction_hash: RpcHash | null;
  /** Place of the event among those of the block, from 0. */
  readonly event_index: RpcQuantity;
  /** Height of the block. */
  readonly block_number: RpcQuantity;
  /** Time of the block, ms since 1970. */
  readonly time_ms: RpcQuantity;
};

/** Shape "AccountLiquidations" of the interface. */
export type RpcAccountLiquidations = {
  /** The last first. */
  readonly liquidations: readonly RpcAccountLiquidation[];
  /** What the next page is asked for with; null on the last one. */
  readonly next: RpcCursor | null;
  /** Oldest block that was looked at; 1 where the node keeps all. */
  readonly oldest_block: RpcQuantity;
  /** Time of the oldest block that the node can tell of, ms since 1970. */
  readonly oldest_ms: RpcQuantity;
};

/** Shape "AccountTransaction" of the interface. */
export type RpcAccountTransaction = {
  /** What the account is to it. */
  readonly roles: readonly ('sender' | 'recipient' | 'created' | 'named' | 'agent')[];
  /** 1 where it was carried out, 0 where it failed. */
  readonly status: RpcQuantity;
  /** As eth_getTransactionByHash has it. */
  readonly transaction: RpcTransaction;
};

/** Shape "AccountTransactions" of the interface. */
export type RpcAccountTransactions = {
  /** The last first. */
  readonly transactions: readonly RpcAccountTransaction[];
  /** What the next page is asked for with; null on the last one. */
  readonly next: RpcBlockPlace | null;
  /** Oldest block that was looked at; 1 where the node keeps all. */
  readonly oldest_block: RpcQuantity;
};

/** Shape "Address" of the interface. */
export type RpcAddress = Hex;

/** Shape "Block" of the interface. */
export type RpcBlock = {
  /** Height of the block. */
  readonly number: RpcQuantity;
  /** Hash of the block; null of the pending one. */
  readonly hash: RpcHash | null;
  /** Address of the validator that proposed the block. */
  readonly proposer: RpcAddress;
  /** Gas limit of the block. */
  readonly gas_limit: RpcQuantity;
  /** Gas that was used. */
  readonly gas_used: RpcQuantity;
  /** Base fee, wei per gas. */
  readonly base_fee: RpcQuantity;
  /** Root of the state after the block. */
  readonly state_root: RpcHash;
  /** What happened in the block besides logs. */
  readonly domain_events: readonly RpcDomainEvent[];
  /** Transactions of the block in order, or their hashes. */
  readonly transactions: readonly (RpcHash | RpcTransaction)[];
  /** Hash of the block before. */
  readonly parentHash: RpcHash;
  /** Address of the validator that proposed the block. */
  readonly miner: RpcAddress;
  /** Root of the state after the block. */
  readonly stateRoot: RpcHash;
  /** Root of the receipts of the block. */
  readonly receiptsRoot: RpcHash;
  /** Bloom filter of addresses and topics of the logs, 256 bytes. */
  readonly logsBloom: RpcData;
  /** Gas limit of the block. */
  readonly gasLimit: RpcQuantity;
  /** Gas that was used. */
  readonly gasUsed: RpcQuantity;
  /** Base fee, wei per gas. */
  readonly baseFeePerGas: RpcQuantity;
  /** Time of the block, seconds since 1970. */
  readonly timestamp: RpcQuantity;
  /** Size of the encoded block, bytes. */
  readonly size: RpcQuantity;
};

/** Shape "BlockAction" of the interface. */
export type RpcBlockAction = {
  /** Hash of the action. */
  readonly hash: RpcHash;
  /** The action as it was signed. */
  readonly raw: RpcData;
  /** 1 where it was carried out, 0 where it was refused. */
  readonly status: RpcQuantity;
  /** RLP of what it answered in this block. */
  readonly output: RpcData;
};

/** Shape "BlockEvidence" of the interface. */
export type RpcBlockEvidence = {
  /** Who signed both messages. */
  readonly validator: RpcAddress;
  /** What was signed twice: a prevote, a precommit or a proposal. */
  readonly signed: 'prevote' | 'precommit' | 'proposal';
  /** Height that both messages are of. */
  readonly height: RpcQuantity;
  /** Round that both messages are of. */
  readonly round: RpcQuantity;
  /** The message for the lower block hash; one for no block comes first. */
  readonly first: {
    /** Block that it is for; null is a vote for none. */
    readonly block_hash: RpcHash | null;
    /** Of a block that is proposed again, the round whose prevotes justify it; null for anything else. */
    readonly pol_round: RpcQuantity | null;
    /** Signature of the message, 65 bytes: r, s and the parity. */
    readonly signature: RpcData;
  };
  /** The other message. */
  readonly second: {
    /** Block that it is for; null is a vote for none. */
    readonly block_hash: RpcHash | null;
    /** Of a block that is proposed again, the round whose prevotes justify it; null for anything else. */
    readonly pol_round: RpcQuantity | null;
    /** Signature of the message, 65 bytes: r, s and the parity. */
    readonly signature: RpcData;
  };
};

/** Shape "BlockPlace" of the interface. */
export type RpcBlockPlace = {
  /** Height of the block. */
  readonly block_number: RpcQuantity;
  /** Place of the transaction in its block, from 0. */
  readonly transaction_index: RpcQuantity;
};

/** Shape "Candle" of the interface. */
export type RpcCandle = {
  /** Begin of the candle, ms since 1970. */
  readonly open_time_ms: RpcQuantity;
  /** Begin of the next candle, ms since 1970. */
  readonly close_time_ms: RpcQuantity;
  /** Price of the first trade, wei per base unit; null where nothing was traded. */
  readonly open: RpcQuantity | null;
  /** Highest price of a trade, wei per base unit; null where nothing was traded. */
  readonly high: RpcQuantity | null;
  /** Lowest price of a trade, wei per base unit; null where nothing was traded. */
  readonly low: RpcQuantity | null;
  /** Price of the latest trade, wei per base unit; null where nothing was traded. */
  readonly close: RpcQuantity | null;
  /** What was traded, base units. */
  readonly volume: RpcQuantity;
  /** What was paid for it, wei: the sum of price times size. */
  readonly quote_volume: RpcQuantity;
  /** Number of trades. */
  readonly trades: RpcQuantity;
  /** Mark price over the candle; null while the market has none. */
  readonly mark: RpcOhlc | null;
  /** Index price over the candle; null without an oracle, and before its first price. */
  readonly index: RpcOhlc | null;
};

/** Shape "CollateralTransfer" of the interface. */
export type RpcCollateralTransfer = {
  /** deposit, withdrawal or transfer; of transfers of the bridge queued, completed or failed. */
  readonly kind: string;
  /** Amount, wei. */
  readonly amount: RpcQuantity;
  /** By how much it changed the account’s collateral, wei. */
  readonly change: RpcSignedQuantity;
  /** Collateral afterwards, wei; null where the entry does not tell it. */
  readonly collateral: RpcSignedQuantity | null;
  /** Account that pays; null for deposit and withdrawal. */
  readonly from: RpcAddress | null;
  /** Account that gets it; null for deposit and withdrawal. */
  readonly to: RpcAddress | null;
  /** Number of the transfer of the bridge; null for others. */
  readonly transfer_id: RpcQuantity | null;
  /** Of the bridge: evm_to_orders or orders_to_evm; null for others. */
  readonly direction: string | null;
  /** Why a transfer of the bridge failed; else null. */
  readonly reason: string | null;
  /** Action or transaction that caused it; null for what the block does by itself. */
  readonly transaction_hash: RpcHash | null;
  /** Place of the event among those of the block, from 0. */
  readonly event_index: RpcQuantity;
  /** Height of the block. */
  readonly block_number: RpcQuantity;
  /** Time of the block, ms since 1970. */
  readonly time_ms: RpcQuantity;
};

/** Shape "CollateralTransfers" of the interface. */
export type RpcCollateralTransfers = {
  /** The last first. */
  readonly transfers: readonly RpcCollateralTransfer[];
  /** What the next page is asked for with; null on the last one. */
  readonly next: RpcCursor | null;
  /** Oldest block that was looked at; 1 where the node keeps all. */
  readonly oldest_block: RpcQuantity;
  /** Time of the oldest block that the node can tell of, ms since 1970. */
  readonly oldest_ms: RpcQuantity;
};

/** Shape "Commit" of the interface. */
export type RpcCommit = {
  /** Height of the block. */
  readonly height: RpcQuantity;
  /** Hash of the block. */
  readonly block_hash: RpcHash;
  /** Encoding of the header, whose hash is the block’s. */
  readonly header: RpcData;
  /** Round in which the block was decided, from 0. */
  readonly round: RpcQuantity;
  /** Precommits of more than two thirds of the power. */
  readonly signatures: readonly {
    /** Address of the validator. */
    readonly validator: RpcAddress;
    /** Signature of the precommit, 65 bytes: r, s and the parity. */
    readonly signature: RpcData;
  }[];
};

/** Shape "CommitSummary" of the interface. */
export type RpcCommitSummary = {
  /** Height of the block. */
  readonly block_number: RpcQuantity;
  /** Hash of the block. */
  readonly block_hash: RpcHash;
  /** Time of the block, ms since 1970. */
  readonly timestamp_ms: RpcQuantity;
  /** Address of the validator that proposed the block. */
  readonly proposer: RpcAddress;
  /** Round in which the block was decided, from 0. */
  readonly round: RpcQuantity;
  /** Validators that signed. */
  readonly signers: readonly RpcAddress[];
  /** Whose turn the rounds before it were, from round 0 on. */
  readonly missed_turns: readonly RpcAddress[];
};

/** Shape "ConsensusStatus" of the interface. */
export type RpcConsensusStatus = {
  /** Number of the block that is being decided. */
  readonly height: RpcQuantity;
  /** What the next block waits for. */
  readonly waits_for: 'work' | 'proposal' | 'prevotes' | 'precommits' | 'execution' | 'blocks';
  /** When this round began, or the wait for it, by the clock of this node, ms since 1970; null where that was before it was started. */
  readonly since_ms: RpcQuantity | null;
  /** The clock of this node, ms since 1970. */
  readonly now_ms: RpcQuantity;
  /** Voting power of the whole set. */
  readonly total_power: RpcQuantity;
  /** The round that goes on; null before the first. */
  readonly current_round: {
    /** Its number, from 0. */
    readonly round: RpcQuantity;
    /** Whose turn it is to propose. */
    readonly proposer: RpcAddress;
    /** Whether its proposal is here. */
    readonly has_proposal: boolean;
    /** First votes of the round. */
    readonly prevotes: RpcVotesStanding;
    /** Second votes of the round. */
    readonly precommits: RpcVotesStanding;
  } | null;
};

/** Shape "Cursor" of the interface. */
export type RpcCursor = Hex;

/** Shape "Data" of the interface. */
export type RpcData = Hex;

/** Shape "DomainEvent" of the interface. */
export type RpcDomainEvent = {
  /** Height of the block. */
  readonly block_number: RpcQuantity;
  /** Hash of the block. */
  readonly block_hash: RpcHash;
  /** Time of the block, ms since 1970. */
  readonly time_ms: RpcQuantity;
  /** Place of the event in its block, from 0. */
  readonly index: RpcQuantity;
  /** Part of the chain: orders, bridge or validators. */
  readonly domain: string;
  /** What happened. */
  readonly kind: string;
  /** Action or transaction that caused it; null for what the block does by itself. */
  readonly transaction_hash: RpcHash | null;
  /** Number of the contract’s write that caused it. */
  readonly ticket?: RpcQuantity | undefined;
  /** The fields of the kind. */
  readonly data: { readonly [key: string]: string | number | boolean | null };
};

/** Shape "EndedOrder" of the interface. */
export type RpcEndedOrder = {
  /** Number of the order. */
  readonly order_id: RpcQuantity;
  /** Number of the market. */
  readonly market_id: number;
  /** Account of the order. */
  readonly owner: RpcAddress;
  /** buy or sell; of a trade the taker’s side. */
  readonly side: string;
  /** Price, wei of the quote per base unit. */
  readonly price: RpcQuantity;
  /** What it was made for, base units; of one that rested, less what was taken off it since. */
  readonly size: RpcQuantity;
  /** Time in force: gtc rests, ioc does not, fok trades whole or not at all. */
  readonly tif: string;
  /** Part of the size that was not filled when it ended, base units. */
  readonly remaining: RpcQuantity;
  /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
  readonly client_id: RpcData | null;
  /** Last second in which the order rests, seconds since 1970; 0 is never. */
  readonly expires_at: RpcQuantity;
  /** Part of the size that traded, base units. */
  readonly filled: RpcQuantity;
  /** filled, cancelled, or killed (a fok that found too little). */
  readonly status: string;
  /** Height of the block that took it in. */
  readonly created_block: RpcQuantity;
  /** Trades only as far as it makes the position smaller. */
  readonly reduce_only?: boolean | undefined;
  /** stop or take_profit of a trigger; other orders have none. */
  readonly kind?: string | undefined;
  /** Mark at which the order fires, wei of the quote per base unit. */
  readonly trigger_price?: RpcQuantity | undefined;
  /** Closes the whole position, whatever it is when the order fires. */
  readonly position?: boolean | undefined;
  /** Of the orders of an account that wait with the same number one fires; 0 is no group. */
  readonly group?: number | undefined;
  /** Its condition held, and it fires when its turn comes. */
  readonly due?: boolean | undefined;
  /** Order whose fills the trigger closes; absent where it stands for itself. */
  readonly parent_order_id?: RpcQuantity | undefined;
  /** The order that it is attached to filled nothing yet, so it waits for no mark. */
  readonly asleep?: boolean | undefined;
  /** Part of the size that self-trade prevention took off, base units: filled + remaining + decremented is the size. */
  readonly decremented: RpcQuantity;
  /** Why the order ended before it was filled; null where it was filled. */
  readonly reason: string | null;
  /** Height of the block in which it ended. */
  readonly closed_block: RpcQuantity;
  /** Time of the block in which it ended, ms since 1970. */
  readonly time_ms: RpcQuantity;
};

/** Shape "FundingPayment" of the interface. */
export type RpcFundingPayment = {
  /** Number of the market. */
  readonly market_id: number;
  /** Position that it was for, base units; negative is short. */
  readonly size: RpcSignedQuantity;
  /** What came to the collateral, wei; negative was paid. */
  readonly amount: RpcSignedQuantity;
  /** Index of the market up to which the position is settled, 10^-9 wei per base unit. */
  readonly index: RpcSignedQuantity;
  /** Action or transaction that caused it; null for what the block does by itself. */
  readonly transaction_hash: RpcHash | null;
  /** Place of the event among those of the block, from 0. */
  readonly event_index: RpcQuantity;
  /** Height of the block. */
  readonly block_number: RpcQuantity;
  /** Time of the block, ms since 1970. */
  readonly time_ms: RpcQuantity;
};

/** Shape "FundingPayments" of the interface. */
export type RpcFundingPayments = {
  /** The last first. */
  readonly payments: readonly RpcFundingPayment[];
  /** What the next page is asked for with; null on the last one. */
  readonly next: RpcCursor | null;
  /** Oldest block that was looked at; 1 where the node keeps all. */
  readonly oldest_block: RpcQuantity;
  /** Time of the oldest block that the node can tell of, ms since 1970. */
  readonly oldest_ms: RpcQuantity;
};

/** Shape "Genesis" of the interface. */
export type RpcGenesis = {
  /** Version of the file’s format. */
  readonly formatVersion: number;
  /** Chain that the request is for; any other than that of the node is refused. */
  readonly chainId: number;
  /** Name of the network. */
  readonly networkName: string;
  /** Whether keys and stakes of the network are for tests. */
  readonly testNetwork: boolean;
  /** Time of block 0, ms since 1970. */
  readonly timestampMs: number;
  /** Whether actions may be unsigned (open) or have to be signed. */
  readonly actions: string;
  /** Times and limits of blocks. */
  readonly consensus: { readonly [key: string]: unknown };
  /** Gas limit and first base fee, wei per gas. */
  readonly evm: { readonly [key: string]: unknown };
  /** Rules of the order book. */
  readonly clob: { readonly [key: string]: unknown };
  /** Accounts of the beginning, by address. */
  readonly alloc: { readonly [key: string]: unknown };
  /** Validators of the beginning. */
  readonly validators: readonly { readonly [key: string]: unknown }[];
  /** Markets of the beginning. */
  readonly markets: readonly { readonly [key: string]: unknown }[];
};

/** Shape "Hash" of the interface. */
export type RpcHash = Hex;

/** Shape "Log" of the interface. */
export type RpcLog = {
  /** Contract that made the log. */
  readonly address: RpcAddress;
  /** Topics of the log, or by position those that are wanted: null is any, a list is one of them. */
  readonly topics: readonly RpcHash[];
  /** Data of the log, as its contract encoded them. */
  readonly data: RpcData;
  /** Height of the block. */
  readonly blockNumber: RpcQuantity;
  /** Hash of the block. */
  readonly blockHash: RpcHash;
  /** Time of the block, seconds since 1970. */
  readonly blockTimestamp: RpcQuantity;
  /** Hash of the transaction. */
  readonly transactionHash: RpcHash;
  /** Place of the transaction in its block, from 0. */
  readonly transactionIndex: RpcQuantity;
  /** Place of the log in its block, from 0. */
  readonly logIndex: RpcQuantity;
  /** Always false: blocks are final. */
  readonly removed: boolean;
};

/** Shape "MarketMid" of the interface. */
export type RpcMarketMid = {
  /** Number of the market. */
  readonly market_id: number;
  /** Middle between best bid and best ask, wei per base unit; null while a side is empty. */
  readonly mid_price: RpcQuantity | null;
};

/** Shape "MarketParameters" of the interface. */
export type RpcMarketParameters = {
  /** Number of the market. */
  readonly market_id: number;
  /** Name of the market, BASE/QUOTE. */
  readonly symbol: string;
  /** Least step of prices, wei of the quote per base unit. */
  readonly tick_size: RpcQuantity;
  /** Least step of sizes, base units. */
  readonly lot_size: RpcQuantity;
  /** Decimals of the base: a whole unit is 10^base_decimals base units. A size s reads as s / 10^base_decimals, a price p as p · 10^(base_decimals − quote_decimals). */
  readonly base_decimals: number;
  /** Decimals of the quote: a whole unit is 10^quote_decimals wei. */
  readonly quote_decimals: number;
  /** State of the market: trading, post_only, cancel_only, halted, settling or delisted. */
  readonly status: string;
  /** Margin that a new position needs, hundredths of a percent of its notional. */
  readonly initial_margin_bps: number;
  /** Margin below which a position is liquidated, hundredths of a percent of its notional. */
  readonly maintenance_margin_bps: number;
  /** Margin of large positions by notional; left out where there are no tiers. */
  readonly risk_tiers?: readonly {
    /** Notional from which on the tier holds, wei. */
    readonly above_notional: RpcQuantity;
    /** Margin that a new position needs, hundredths of a percent of its notional. */
    readonly initial_margin_bps: number;
    /** Margin below which a position is liquidated, hundredths of a percent of its notional. */
    readonly maintenance_margin_bps: number;
  }[] | undefined;
  /** What orders of the market may at most lead to; left out where nothing is bounded, and 0 is no bound. */
  readonly limits?: {
    /** Base units that all longs may hold together. */
    readonly open_interest_max: RpcQuantity;
    /** Base units that an account may hold on one side, open orders of that side included. */
    readonly position_max: RpcQuantity;
    /** How far the limit of a buy may be above the mark, and that of a sell below it, hundredths of a percent. */
    readonly price_band_bps: number;
    /** Most price times size of an order, wei. */
    readonly order_notional_max: RpcQuantity;
  } | undefined;
};

/** Shape "NativeBlock" of the interface. */
export type RpcNativeBlock = {
  /** Height of the block. */
  readonly number: RpcQuantity;
  /** Hash of the block; null of the pending one. */
  readonly hash: RpcHash | null;
  /** Address of the validator that proposed the block. */
  readonly proposer: RpcAddress;
  /** Gas limit of the block. */
  readonly gas_limit: RpcQuantity;
  /** Gas that was used. */
  readonly gas_used: RpcQuantity;
  /** Base fee, wei per gas. */
  readonly base_fee: RpcQuantity;
  /** Root of the state after the block. */
  readonly state_root: RpcHash;
  /** What happened in the block besides logs. */
  readonly domain_events: readonly RpcDomainEvent[];
  /** Transactions of the block in order, or their hashes. */
  readonly transactions: readonly (RpcHash | RpcTransaction)[];
  /** Hash of the block before. */
  readonly parent_hash: RpcHash;
  /** Time of the block, seconds since 1970. */
  readonly timestamp: RpcQuantity;
  /** Time of the block, ms since 1970. */
  readonly timestamp_ms: RpcQuantity;
  /** Root of the order book after the block; null where its state is not kept. */
  readonly orders_root: RpcHash | null;
  /** Root of the receipts of the block. */
  readonly receipts_root: RpcHash;
  /** Hash of the domain events of the block. */
  readonly events_root: RpcHash;
  /** Hash of the validators that decide this block. */
  readonly validators_hash: RpcHash;
  /** Hash of the validators that decide the next block. */
  readonly next_validators_hash: RpcHash;
  /** Summary of the certificate that decided the block; null for genesis. */
  readonly commit: {
    /** Round in which the block was decided, from 0. */
    readonly round: RpcQuantity;
    /** Number of precommits. */
    readonly signature_count: RpcQuantity;
    /** Validators that signed. */
    readonly signers: readonly RpcAddress[];
  } | null;
  /** Round in which the block before was decided; null for the first. */
  readonly last_commit_round: RpcQuantity | null;
  /** Number of transactions in the block. */
  readonly transaction_count: RpcQuantity;
  /** Number of actions in the block. */
  readonly action_count: RpcQuantity;
  /** Proofs that validators signed what no honest one does, by which they are slashed and jailed. */
  readonly evidence: readonly RpcBlockEvidence[];
};

/** Shape "Network" of the interface. */
export type RpcNetwork = {
  /** Rules of blocks. */
  readonly protocol: {
    /** Version in force for the next block. */
    readonly version: RpcQuantity;
    /** Newest version of the rules that the node knows; null where it did not say. */
    readonly known_version: RpcQuantity;
    /** The next upgrade; null where none is planned. */
    readonly next: {
      /** Version that comes into force. */
      readonly version: RpcQuantity;
      /** First block by the new rules. */
      readonly height: RpcQuantity;
      /** Whether this node knows them: if not, it stops there. */
      readonly known: boolean;
      /** Voting power that is known to go along. */
      readonly ready_power: RpcQuantity;
      /** Voting power of the whole set. */
      readonly total_power: RpcQuantity;
    } | null;
  };
  /** The set, in its order. */
  readonly validators: readonly {
    /** Account or contract that is asked about. */
    readonly address: RpcAddress;
    /** Name that the validator gave itself. */
    readonly moniker: string;
    /** Weight of its votes. */
    readonly voting_power: RpcQuantity;
    /** Whether it is connected to this node, or was heard of through others lately. */
    readonly present: boolean;
    /** Newest block that the node told of; null where it tells this node nothing. */
    readonly head: RpcQuantity | null;
    /** Newest version of the rules that the node knows; null where it did not say. */
    readonly known_version: RpcQuantity | null;
  }[];
  /** Other nodes that are connected, the highest block first. */
  readonly others: readonly {
    /** full or archive. */
    readonly role: string;
    /** Newest block that it told of. */
    readonly head: RpcQuantity;
    /** Newest version of the rules that the node knows; null where it did not say. */
    readonly known_version: RpcQuantity | null;
  }[];
};

/** Shape "NetworkParameters" of the interface. */
export type RpcNetworkParameters = {
  /** Height of the block after which they are in force. */
  readonly block_number: RpcQuantity;
  /** Number of the chain. */
  readonly chain_id: number;
  /** Times and limits of blocks. */
  readonly consensus: { readonly [key: string]: unknown };
  /** Gas limit and first base fee. */
  readonly evm: { readonly [key: string]: unknown };
  /** Rules of the order book; margin is that of markets without their own. */
  readonly clob: {
    /** Margin that a new position needs, hundredths of a percent of its notional. */
    readonly initial_margin_bps: number;
    /** Margin below which a position is liquidated, hundredths of a percent of its notional. */
    readonly maintenance_margin_bps: number;
  };
  /** What holds in each market, by id. */
  readonly markets: readonly RpcMarketParameters[];
};

/** Shape "Ohlc" of the interface. */
export type RpcOhlc = {
  /** Price with which it began, wei per base unit: that of before the first block that changed anything. */
  readonly open: RpcQuantity;
  /** Highest price, wei per base unit. */
  readonly high: RpcQuantity;
  /** Lowest price, wei per base unit. */
  readonly low: RpcQuantity;
  /** Price at its end, wei per base unit. */
  readonly close: RpcQuantity;
};

/** Shape "OpenRPC" of the interface. */
export type RpcOpenRPC = {
  /** Version of the OpenRPC standard. */
  readonly openrpc: string;
  /** What the document describes. */
  readonly info: {
    /** Name of the interface. */
    readonly title: string;
    /** Version of the node’s program. */
    readonly version: string;
  };
  /** Every method that the node answers. */
  readonly methods: readonly {
    /** Name of the method. */
    readonly name: string;
  }[];
};

/** Shape "OrderBook" of the interface. */
export type RpcOrderBook = {
  /** Levels of buy orders, ascending: the best price is last. */
  readonly bids: readonly RpcPriceLevel[];
  /** Levels of sell orders, ascending: the best price is first. */
  readonly asks: readonly RpcPriceLevel[];
};

/** Shape "OrderHistory" of the interface. */
export type RpcOrderHistory = {
  /** The last first, by when they ended. */
  readonly orders: readonly RpcEndedOrder[];
  /** What the next page is asked for with; null on the last one. */
  readonly next: RpcCursor | null;
  /** Oldest block that was looked at; 1 where the node keeps all. */
  readonly oldest_block: RpcQuantity;
  /** Time of the oldest block that the node can tell of, ms since 1970. */
  readonly oldest_ms: RpcQuantity;
};

/** Shape "ParameterProposal" of the interface. */
export type RpcParameterProposal = {
  /** Hash of all that it says and of its proposer; votes name it. */
  readonly proposal: RpcHash;
  /** Owner of the validator that made it, or the admin. */
  readonly proposer: RpcAddress;
  /** Market whose parameter it changes; null for one of all markets. */
  readonly market_id: number | null;
  /** Name of the parameter, as genesis has it. */
  readonly parameter: string;
  /** What it would be, as JSON text: names and amounts as in genesis.json. */
  readonly value: string;
  /** Height of the block that begins with the change. */
  readonly activation_height: RpcQuantity;
  /** Height from which on no vote counts. */
  readonly expiry_height: RpcQuantity;
  /** Whether it was decided and waits for its height. */
  readonly has_passed: boolean;
  /** What the owners of validators said last. */
  readonly votes: readonly RpcProposalVote[];
};

/** Shape "PriceLevel" of the interface. */
export type RpcPriceLevel = {
  /** Price, wei of the quote per base unit. */
  readonly price: RpcQuantity;
  /** Size, base units. */
  readonly size: RpcQuantity;
};

/** Shape "ProposalVote" of the interface. */
export type RpcProposalVote = {
  /** Owner of the validator. */
  readonly validator: RpcAddress;
  /** Whether it is for the change. */
  readonly yes: boolean;
};

/** Shape "Quantity" of the interface. */
export type RpcQuantity = Hex;

/** Shape "Receipt" of the interface. */
export type RpcReceipt = {
  /** Hash of the transaction. */
  readonly transaction_hash: RpcHash;
  /** Hash of the block. */
  readonly block_hash: RpcHash;
  /** Height of the block. */
  readonly block_number: RpcQuantity;
  /** Place of the transaction in its block, from 0. */
  readonly transaction_index: RpcQuantity;
  /** 0x1 for success, 0x0 for a failure. */
  readonly status: RpcQuantity;
  /** Gas that was used. */
  readonly gas_used: RpcQuantity;
  /** What the execution returned: revert data of one that reverted, RLP of the result of a native one. */
  readonly output: RpcData;
  /** Logs, in order. */
  readonly logs: readonly RpcLog[];
  /** Contract that was created; null for any other transaction. */
  readonly contract_address: RpcAddress | null;
  /** Hash of the transaction. */
  readonly transactionHash: RpcHash;
  /** Hash of the block. */
  readonly blockHash: RpcHash;
  /** Height of the block. */
  readonly blockNumber: RpcQuantity;
  /** Gas of the block up to this transaction, this one included. */
  readonly cumulativeGasUsed: RpcQuantity;
  /** What was paid, wei per gas. */
  readonly effectiveGasPrice: RpcQuantity;
  /** Bloom filter of addresses and topics of the logs, 256 bytes. */
  readonly logsBloom: RpcData;
};

/** Shape "SignedQuantity" of the interface. */
export type RpcSignedQuantity = SignedHex;

/** Shape "Ticker" of the interface. */
export type RpcTicker = {
  /** Number of the market. */
  readonly market_id: number;
  /** Name of the market, BASE/QUOTE. */
  readonly symbol: string;
  /** Whether the market takes orders. */
  readonly status: string;
  /** Price of the latest trade, wei per base unit; null before the first. */
  readonly last_price: RpcQuantity | null;
  /** Price that margin is judged by, wei per base unit; null before there is one. */
  readonly mark_price: RpcQuantity | null;
  /** Price from outside, wei per base unit; null without an oracle, and before its first price. */
  readonly index_price: RpcQuantity | null;
  /** Since when there is no fresh index, block time in ms: only orders that reduce a position are taken; null while it is fresh. */
  readonly stale_since_ms: RpcQuantity | null;
  /** Index with the average premium of the book, wei per base unit; null where there is no index. */
  readonly fair_price: RpcQuantity | null;
  /** Highest level of buy orders; null where there is none. */
  readonly best_bid: RpcPriceLevel | null;
  /** Lowest level of sell orders; null where there is none. */
  readonly best_ask: RpcPriceLevel | null;
  /** Base units that all longs hold, which is what all shorts owe. */
  readonly open_interest: RpcQuantity;
  /** Trades of the last 24 hours. */
  readonly day: {
    /** Begin of what is counted, ms since 1970. */
    readonly since_ms: RpcQuantity;
    /** Price of the first trade, wei per base unit; null where there is none. */
    readonly open: RpcQuantity | null;
    /** Highest price, wei per base unit; null without a trade. */
    readonly high: RpcQuantity | null;
    /** Lowest price, wei per base unit; null without a trade. */
    readonly low: RpcQuantity | null;
    /** Price of the latest trade, wei per base unit; null where there is none. */
    readonly close: RpcQuantity | null;
    /** From open to close, wei per base unit; null without a trade. */
    readonly change: RpcSignedQuantity | null;
    /** The same in hundredths of a percent of the open; null without a trade. */
    readonly change_bps: RpcSignedQuantity | null;
    /** What was traded, base units. */
    readonly volume: RpcQuantity;
    /** What was paid for it, wei: the sum of price times size. */
    readonly quote_volume: RpcQuantity;
    /** Number of trades. */
    readonly trades: RpcQuantity;
  };
  /** Funding of the market; left out where it has none. */
  readonly funding?: {
    /** What a long paid in the latest interval, 10^-9 wei per base unit; negative where it was paid. */
    readonly rate: RpcSignedQuantity;
    /** Time at which the interval ends that runs now, ms since 1970. */
    readonly next_ms: RpcQuantity;
  } | undefined;
};

/** Shape "Trade" of the interface. */
export type RpcTrade = {
  /** Number of the trade. */
  readonly trade_id: RpcQuantity;
  /** Price, wei of the quote per base unit. */
  readonly price: RpcQuantity;
  /** Size, base units. */
  readonly size: RpcQuantity;
  /** Order that rested. */
  readonly maker_order_id: RpcQuantity;
  /** Order that came to it. */
  readonly taker_order_id: RpcQuantity;
  /** Account whose order rested. */
  readonly maker: RpcAddress;
  /** Account whose order came to it. */
  readonly taker: RpcAddress;
  /** buy or sell; of a trade the taker’s side. */
  readonly side: string;
  /** Fee of the trade or liquidation, wei. */
  readonly fee: RpcSignedQuantity;
};

/** Shape "Transaction" of the interface. */
export type RpcTransaction = {
  /** Hash of the transaction. */
  readonly hash: RpcHash;
  /** Type of the transaction (EIP-2718); 0x50 is native. */
  readonly type: RpcQuantity;
  /** Account that signed it. */
  readonly from: RpcAddress;
  /** Recipient or contract; without it a contract is created. */
  readonly to: RpcAddress | null;
  /** Amount that is sent, wei. */
  readonly value: RpcQuantity;
  /** Gas limit. */
  readonly gas: RpcQuantity;
  /** Price of gas, wei per gas; what was paid once it is in a block. */
  readonly gasPrice: RpcQuantity;
  /** Number of transactions of the account before this one. */
  readonly nonce: RpcQuantity;
  /** Data of the call: selector and arguments, or the code that creates a contract. */
  readonly input: RpcData;
  /** Height of its block; null while it waits. */
  readonly blockNumber: RpcQuantity | null;
  /** Hash of its block; null while it waits. */
  readonly blockHash: RpcHash | null;
  /** Place in its block, from 0; null while it waits. */
  readonly transactionIndex: RpcQuantity | null;
};

/** Shape "UnplacedTransaction" of the interface. */
export type RpcUnplacedTransaction = {
  /** Hash of the transaction. */
  readonly hash: RpcHash;
  /** Type of the transaction (EIP-2718); 0x50 is native. */
  readonly type: RpcQuantity;
  /** Account that is to sign it. */
  readonly from: RpcAddress;
  /** Recipient or contract; without it a contract is created. */
  readonly to: RpcAddress | null;
  /** Amount that is sent, wei. */
  readonly value: RpcQuantity;
  /** Gas limit. */
  readonly gas: RpcQuantity;
  /** Price of gas, wei per gas; excludes the two maximum fees. */
  readonly gasPrice: RpcQuantity;
  /** Number of transactions of the account before this one. */
  readonly nonce: RpcQuantity;
  /** Data of the call: selector and arguments, or the code that creates a contract. */
  readonly input: RpcData;
};

/** Shape "VotesStanding" of the interface. */
export type RpcVotesStanding = {
  /** Who voted for a block. */
  readonly block: readonly RpcAddress[];
  /** Who voted for no block. */
  readonly nil: readonly RpcAddress[];
  /** Whose vote is not here. */
  readonly missing: readonly RpcAddress[];
  /** Power of those who voted, for whatever. */
  readonly voting_power: RpcQuantity;
};

/** Every method of a node: its parameters by position (undefined where it takes none) and its answer, as JSON has them. */
export interface RpcMethods {
  /** Chain id of the network. */
  readonly eth_chainId: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Number of the newest committed block. */
  readonly eth_blockNumber: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Price per gas in wei that is enough for a call on the head and for the next block: the higher of their base fees and the suggested tip. */
  readonly eth_gasPrice: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Suggested tip per gas in wei, learnt from the transactions of recent blocks. */
  readonly eth_maxPriorityFeePerGas: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Base fees, fullness and tips of a range of blocks. */
  readonly eth_feeHistory: {
    readonly parameters: [blockCount: Hex | number, newestBlock: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }, rewardPercentiles?: readonly number[] | null];
    readonly result: {
      /** Height of the first block that is told of. */
      readonly oldestBlock: RpcQuantity;
      /** Base fee of each block, and of the one after the last, wei per gas. */
      readonly baseFeePerGas: readonly RpcQuantity[];
      /** Used share of each block’s gas limit, 0 to 1. */
      readonly gasUsedRatio: readonly number[];
      /** Price of blob gas of each block, wei; always the least, because there are no blobs. */
      readonly baseFeePerBlobGas: readonly RpcQuantity[];
      /** Used share of blob gas, always 0. */
      readonly blobGasUsedRatio: readonly number[];
      /** What the sender got of the fee, wei. */
      readonly reward?: readonly (readonly RpcQuantity[])[] | undefined;
    };
  };
  /** Accounts that the node holds unlocked and signs for. */
  readonly eth_accounts: {
    readonly parameters: undefined;
    readonly result: readonly RpcAddress[];
  };
  /** false, or how far catching up with the network has come. */
  readonly eth_syncing: {
    readonly parameters: undefined;
    readonly result: false | {
      /** Height at which the node began to catch up. */
      readonly startingBlock: RpcQuantity;
      /** Height that it has reached. */
      readonly currentBlock: RpcQuantity;
      /** Highest height that a peer told of. */
      readonly highestBlock: RpcQuantity;
    };
  };
  /** Whether this node takes part in making blocks: its validator is in the active set and it is not catching up. */
  readonly eth_mining: {
    readonly parameters: undefined;
    readonly result: boolean;
  };
  /** Version of the peer to peer protocol. */
  readonly eth_protocolVersion: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Balance of an account, in wei. */
  readonly eth_getBalance: {
    readonly parameters: [address: Hex, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcQuantity;
  };
  /** Nonce of an account: the number of transactions it has sent. With "pending", pooled ones are counted. */
  readonly eth_getTransactionCount: {
    readonly parameters: [address: Hex, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcQuantity;
  };
  /** Bytecode at an address; 0x where there is none. */
  readonly eth_getCode: {
    readonly parameters: [address: Hex, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcData;
  };
  /** Value of a storage slot of a contract, 32 bytes. */
  readonly eth_getStorageAt: {
    readonly parameters: [address: Hex, slot: Hex, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcHash;
  };
  /** An account and storage slots of it with the nodes that prove them under the state root of the block (EIP-1186). What does not exist is proven absent. */
  readonly eth_getProof: {
    readonly parameters: [address: Hex, slots: readonly Hex[], block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: {
      /** Account or contract that is asked about. */
      readonly address: RpcAddress;
      /** Nodes of the account trie from the root to the account. */
      readonly accountProof: readonly RpcData[];
      /** Balance of the account, wei. */
      readonly balance: RpcQuantity;
      /** Hash of the account’s code. */
      readonly codeHash: RpcHash;
      /** Nonce of the account. */
      readonly nonce: RpcQuantity;
      /** Root of the account’s storage. */
      readonly storageHash: RpcHash;
      /** A proof for each wanted slot. */
      readonly storageProof: readonly {
        /** The slot. */
        readonly key: RpcHash;
        /** What the slot holds. */
        readonly value: RpcQuantity;
        /** Nodes of the storage trie from the root to the slot. */
        readonly proof: readonly RpcData[];
      }[];
    };
  };
  /** Runs a message call on the state after a block, without making a transaction, and returns its output. */
  readonly eth_call: {
    readonly parameters: [transaction: {
      /** Sender; the zero address where it is left out. */
      readonly from?: Hex | null | undefined;
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
    }, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null, stateOverrides?: { readonly [key: string]: {
      /** Nonce of the account. */
      readonly nonce?: Hex | null | undefined;
      /** Balance of the account, wei. */
      readonly balance?: Hex | null | undefined;
      /** Code of the account. */
      readonly code?: Hex | null | undefined;
      /** The whole storage of the account by slot; what is not listed is 0. */
      readonly state?: ({ readonly [key: string]: Hex } | null) | undefined;
      /** Slots of the account that differ from the stored ones. */
      readonly stateDiff?: ({ readonly [key: string]: Hex } | null) | undefined;
      /** Address at which the precompile of this address answers instead. */
      readonly movePrecompileToAddress?: Hex | null | undefined;
    } } | null, blockOverrides?: {
      /** Height. */
      readonly number?: Hex | number | null | undefined;
      /** Time, seconds since 1970. */
      readonly time?: Hex | number | null | undefined;
      /** Gas limit of the block. */
      readonly gasLimit?: Hex | null | undefined;
      /** Account that gets the tips. */
      readonly feeRecipient?: Hex | null | undefined;
      /** What PREVRANDAO gives. */
      readonly prevRandao?: Hex | null | undefined;
      /** Base fee, wei per gas. */
      readonly baseFeePerGas?: Hex | null | undefined;
      /** What BLOBBASEFEE gives, wei per blob gas. */
      readonly blobBaseFee?: Hex | null | undefined;
    } | null];
    readonly result: RpcData;
  };
  /** Least gas limit with which the transaction succeeds on the state after a block; at the head, in the block after it. */
  readonly eth_estimateGas: {
    readonly parameters: [transaction: {
      /** Sender; the zero address where it is left out. */
      readonly from?: Hex | null | undefined;
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
    }, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null, stateOverrides?: { readonly [key: string]: {
      /** Nonce of the account. */
      readonly nonce?: Hex | null | undefined;
      /** Balance of the account, wei. */
      readonly balance?: Hex | null | undefined;
      /** Code of the account. */
      readonly code?: Hex | null | undefined;
      /** The whole storage of the account by slot; what is not listed is 0. */
      readonly state?: ({ readonly [key: string]: Hex } | null) | undefined;
      /** Slots of the account that differ from the stored ones. */
      readonly stateDiff?: ({ readonly [key: string]: Hex } | null) | undefined;
      /** Address at which the precompile of this address answers instead. */
      readonly movePrecompileToAddress?: Hex | null | undefined;
    } } | null, blockOverrides?: {
      /** Height. */
      readonly number?: Hex | number | null | undefined;
      /** Time, seconds since 1970. */
      readonly time?: Hex | number | null | undefined;
      /** Gas limit of the block. */
      readonly gasLimit?: Hex | null | undefined;
      /** Account that gets the tips. */
      readonly feeRecipient?: Hex | null | undefined;
      /** What PREVRANDAO gives. */
      readonly prevRandao?: Hex | null | undefined;
      /** Base fee, wei per gas. */
      readonly baseFeePerGas?: Hex | null | undefined;
      /** What BLOBBASEFEE gives, wei per blob gas. */
      readonly blobBaseFee?: Hex | null | undefined;
    } | null];
    readonly result: RpcQuantity;
  };
  /** The accounts and storage slots that a transaction touches, as an EIP-2930 access list, and the gas that it uses with it. A transaction that fails has its words in error. */
  readonly eth_createAccessList: {
    readonly parameters: [transaction: {
      /** Sender; the zero address where it is left out. */
      readonly from?: Hex | null | undefined;
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
    }, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: {
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList: readonly {
        /** Account that is made warm. */
        readonly address: RpcAddress;
        /** Slots of the account that are made warm. */
        readonly storageKeys: readonly RpcHash[];
      }[];
      /** Gas that was used. */
      readonly gasUsed: RpcQuantity;
      /** Why it failed, in words. */
      readonly error?: string | undefined;
    };
  };
  /** Runs calls in blocks that nobody proposed, one after another on the state after a block, with overrides of state and headers; returns the blocks with the outcome of each call. */
  readonly eth_simulateV1: {
    readonly parameters: [payload: {
      /** Blocks one after another, each on the state that the one before leaves. */
      readonly blockStateCalls: readonly {
        /** What the call assumes about its block in place of the header. */
        readonly blockOverrides?: ({
          /** Height. */
          readonly number?: Hex | number | null | undefined;
          /** Time, seconds since 1970. */
          readonly time?: Hex | number | null | undefined;
          /** Gas limit of the block. */
          readonly gasLimit?: Hex | null | undefined;
          /** Account that gets the tips. */
          readonly feeRecipient?: Hex | null | undefined;
          /** What PREVRANDAO gives. */
          readonly prevRandao?: Hex | null | undefined;
          /** Base fee, wei per gas. */
          readonly baseFeePerGas?: Hex | null | undefined;
          /** What BLOBBASEFEE gives, wei per blob gas. */
          readonly blobBaseFee?: Hex | null | undefined;
        } | null) | undefined;
        /** What the call assumes about accounts, by address. */
        readonly stateOverrides?: ({ readonly [key: string]: {
          /** Nonce of the account. */
          readonly nonce?: Hex | null | undefined;
          /** Balance of the account, wei. */
          readonly balance?: Hex | null | undefined;
          /** Code of the account. */
          readonly code?: Hex | null | undefined;
          /** The whole storage of the account by slot; what is not listed is 0. */
          readonly state?: ({ readonly [key: string]: Hex } | null) | undefined;
          /** Slots of the account that differ from the stored ones. */
          readonly stateDiff?: ({ readonly [key: string]: Hex } | null) | undefined;
          /** Address at which the precompile of this address answers instead. */
          readonly movePrecompileToAddress?: Hex | null | undefined;
        } } | null) | undefined;
        /** Calls of the block, in order. */
        readonly calls?: (readonly {
          /** Sender; the zero address where it is left out. */
          readonly from?: Hex | null | undefined;
          /** Recipient or contract; without it a contract is created. */
          readonly to?: Hex | null | undefined;
          /** Gas limit. */
          readonly gas?: Hex | null | undefined;
          /** Price of gas, wei per gas; excludes the two maximum fees. */
          readonly gasPrice?: Hex | null | undefined;
          /** Most that is paid for gas, base fee and tip together, wei per gas. */
          readonly maxFeePerGas?: Hex | null | undefined;
          /** Most of the price that is a tip to the proposer, wei per gas. */
          readonly maxPriorityFeePerGas?: Hex | null | undefined;
          /** Amount that is sent, wei. */
          readonly value?: Hex | null | undefined;
          /** Older name of `input`; where both are given they have to be equal. */
          readonly data?: Hex | null | undefined;
          /** Data of the call: selector and arguments, or the code that creates a contract. */
          readonly input?: Hex | null | undefined;
          /** Number of transactions of the account before this one. */
          readonly nonce?: Hex | number | null | undefined;
          /** Chain that the request is for; any other than that of the node is refused. */
          readonly chainId?: Hex | null | undefined;
          /** Accounts and slots that the transaction makes warm (EIP-2930). */
          readonly accessList?: (readonly {
            /** Account that is made warm. */
            readonly address: Hex;
            /** Slots of the account that are made warm. */
            readonly storageKeys?: readonly Hex[] | undefined;
          }[] | null) | undefined;
          /** Delegations of accounts to code (EIP-7702). */
          readonly authorizationList?: (readonly {
            /** Chain on which the delegation holds; 0 is every chain. */
            readonly chainId: Hex;
            /** Contract whose code the signer runs; the zero address ends a delegation. */
            readonly address: Hex;
            /** Nonce that the signer’s account has to have. */
            readonly nonce: Hex;
            /** Parity of the signature, 0 or 1. */
            readonly yParity?: Hex | undefined;
            /** Older name of `yParity`. */
            readonly v?: Hex | undefined;
            /** First part of the signature. */
            readonly r: Hex;
            /** Second part of the signature. */
            readonly s: Hex;
          }[] | null) | undefined;
        }[] | null) | undefined;
      }[];
      /** Whether nonces, fees and funds have to be right, as in a block. */
      readonly validation?: boolean | null | undefined;
      /** Whether movements of wei are shown as logs. */
      readonly traceTransfers?: boolean | null | undefined;
      /** Whether blocks show whole transactions in place of hashes. */
      readonly returnFullTransactions?: boolean | null | undefined;
    }, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: readonly (RpcBlock & {
      /** Outcomes of the calls, in order. */
      readonly calls: readonly {
        /** 0x1 for success, 0x0 for a failure. */
        readonly status: RpcQuantity;
        /** What the call returned; empty for one that failed. */
        readonly returnData: RpcData;
        /** Gas that was used. */
        readonly gasUsed: RpcQuantity;
        /** Gas before refunds. */
        readonly maxUsedGas: RpcQuantity;
        /** Logs, in order. */
        readonly logs?: readonly RpcLog[] | undefined;
        /** Why the call failed. */
        readonly error?: {
          /** 3 for a revert, -32015 for any other failure. */
          readonly code: number;
          /** The reason in words. */
          readonly message: string;
          /** What a revert gave back. */
          readonly data?: RpcData | undefined;
        } | undefined;
      }[];
    })[];
  };
  /** A block by its number or tag, with hashes of its transactions or the transactions; null when there is none. */
  readonly eth_getBlockByNumber: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }, fullTransactions?: boolean | null];
    readonly result: RpcBlock | null;
  };
  /** A block by its hash, with hashes of its transactions or the transactions; null when there is none. */
  readonly eth_getBlockByHash: {
    readonly parameters: [blockHash: Hex, fullTransactions?: boolean | null];
    readonly result: RpcBlock | null;
  };
  /** Receipts of all transactions of a block, in order; null when there is no such block. */
  readonly eth_getBlockReceipts: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }];
    readonly result: readonly RpcReceipt[] | null;
  };
  /** Number of transactions in a block; null when there is no such block. */
  readonly eth_getBlockTransactionCountByNumber: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }];
    readonly result: RpcQuantity | null;
  };
  /** Number of transactions in a block; null when there is no such block. */
  readonly eth_getBlockTransactionCountByHash: {
    readonly parameters: [blockHash: Hex];
    readonly result: RpcQuantity | null;
  };
  /** A committed or pooled transaction by its hash; null when it is not known. */
  readonly eth_getTransactionByHash: {
    readonly parameters: [transactionHash: Hex];
    readonly result: RpcTransaction | null;
  };
  /** A transaction by the number of its block and its place in it; null when there is none. */
  readonly eth_getTransactionByBlockNumberAndIndex: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }, index: Hex | number];
    readonly result: RpcTransaction | null;
  };
  /** A transaction by the hash of its block and its place in it; null when there is none. */
  readonly eth_getTransactionByBlockHashAndIndex: {
    readonly parameters: [blockHash: Hex, index: Hex | number];
    readonly result: RpcTransaction | null;
  };
  /** What a committed transaction did; null while it is in no block. */
  readonly eth_getTransactionReceipt: {
    readonly parameters: [transactionHash: Hex];
    readonly result: RpcReceipt | null;
  };
  /** Logs of a block range or of one block, filtered by address and topics. */
  readonly eth_getLogs: {
    readonly parameters: [filter: {
      /** The one block that is wanted; excludes a range. */
      readonly blockHash?: Hex | null | undefined;
      /** First block of the range; the head where it is left out. */
      readonly fromBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Last block of the range; the head where it is left out. */
      readonly toBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Contracts whose logs are wanted, one or a list; all where it is left out. */
      readonly address?: (Hex | readonly Hex[] | null) | undefined;
      /** Topics of the log, or by position those that are wanted: null is any, a list is one of them. */
      readonly topics?: (readonly (Hex | null | readonly (Hex | null)[])[] | null) | undefined;
    }];
    readonly result: readonly RpcLog[];
  };
  /** Installs a filter for logs of new blocks and answers its id; eth_getFilterChanges asks it. */
  readonly eth_newFilter: {
    readonly parameters: [filter: {
      /** The one block that is wanted; excludes a range. */
      readonly blockHash?: Hex | null | undefined;
      /** First block of the range; the head where it is left out. */
      readonly fromBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Last block of the range; the head where it is left out. */
      readonly toBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Contracts whose logs are wanted, one or a list; all where it is left out. */
      readonly address?: (Hex | readonly Hex[] | null) | undefined;
      /** Topics of the log, or by position those that are wanted: null is any, a list is one of them. */
      readonly topics?: (readonly (Hex | null | readonly (Hex | null)[])[] | null) | undefined;
    }];
    readonly result: Hex;
  };
  /** Installs a filter for hashes of new blocks and answers its id; eth_getFilterChanges asks it. */
  readonly eth_newBlockFilter: {
    readonly parameters: undefined;
    readonly result: Hex;
  };
  /** Installs a filter for transactions that become executable in the mempool, and answers its id; it tells their hashes, or with `true` whole transactions. */
  readonly eth_newPendingTransactionFilter: {
    readonly parameters: [fullTransactions?: boolean | null];
    readonly result: Hex;
  };
  /** What came since the last poll of a filter: hashes of blocks or transactions, whole transactions, or logs. */
  readonly eth_getFilterChanges: {
    readonly parameters: [filterId: Hex];
    readonly result: readonly RpcHash[] | readonly RpcLog[] | readonly RpcTransaction[];
  };
  /** All logs that match a log filter: what eth_getLogs answers to its parameters now. */
  readonly eth_getFilterLogs: {
    readonly parameters: [filterId: Hex];
    readonly result: readonly RpcLog[];
  };
  /** Removes a filter; true when it existed. */
  readonly eth_uninstallFilter: {
    readonly parameters: [filterId: Hex];
    readonly result: boolean;
  };
  /** Opens a subscription of this WebSocket connection and answers its id; eth_subscription notifications follow. */
  readonly eth_subscribe: {
    readonly parameters: [kind: string, options?: (boolean | {
      /** The one block that is wanted; excludes a range. */
      readonly blockHash?: Hex | null | undefined;
      /** First block of the range; the head where it is left out. */
      readonly fromBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Last block of the range; the head where it is left out. */
      readonly toBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Account, or for logs and events one or a list. */
      readonly address?: (Hex | readonly Hex[] | null) | undefined;
      /** Topics of the log, or by position those that are wanted: null is any, a list is one of them. */
      readonly topics?: (readonly (Hex | null | readonly (Hex | null)[])[] | null) | undefined;
      /** Number of the market. */
      readonly market_id?: Hex | number | null | undefined;
      /** Part of the chain: orders, bridge or validators. */
      readonly domain?: string | null | undefined;
      /** Kind of event that is wanted; all where it is left out. */
      readonly kind?: string | null | undefined;
      /** Length of the candles. */
      readonly interval?: string | null | undefined;
    }) | null];
    readonly result: Hex;
  };
  /** Ends a subscription of this WebSocket connection. */
  readonly eth_unsubscribe: {
    readonly parameters: [subscriptionId: Hex];
    readonly result: true;
  };
  /** Submits a signed transaction and returns its hash: legacy with EIP-155, 2930, 1559, 7702, or a native one (0x50) of the order book. */
  readonly eth_sendRawTransaction: {
    readonly parameters: [transaction: Hex];
    readonly result: RpcHash;
  };
  /** Submits a signed transaction and answers with its receipt once it is in a block; the second parameter bounds the wait in ms. Error 4: not in a block in time (data is its hash). Error 6: behind a gap of nonces, and not taken (data is the next nonce). */
  readonly eth_sendRawTransactionSync: {
    readonly parameters: [transaction: Hex, timeoutMs?: Hex | number | null];
    readonly result: RpcReceipt;
  };
  /** Signs a transaction with an account that the node holds and submits it; missing nonce, gas and fees are filled in. */
  readonly eth_sendTransaction: {
    readonly parameters: [transaction: {
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
      /** Sender; the zero address where it is left out. */
      readonly from: Hex;
    }];
    readonly result: RpcHash;
  };
  /** Signs a transaction with an account that the node holds and returns its encoding; nothing is submitted. */
  readonly eth_signTransaction: {
    readonly parameters: [transaction: {
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
      /** Sender; the zero address where it is left out. */
      readonly from: Hex;
    }];
    readonly result: RpcData;
  };
  /** Signs EIP-712 typed data with an account that the node holds: an object, or its JSON text. */
  readonly eth_signTypedData_v4: {
    readonly parameters: [address: Hex, typedData: { readonly [key: string]: unknown } | string];
    readonly result: RpcData;
  };
  /** The same as eth_signTypedData_v4. */
  readonly eth_signTypedData: {
    readonly parameters: [address: Hex, typedData: { readonly [key: string]: unknown } | string];
    readonly result: RpcData;
  };
  /** Signs a message as EIP-191 has it (keccak256("\x19Ethereum Signed Message:\n" + length + message)). */
  readonly eth_sign: {
    readonly parameters: [address: Hex, message: Hex];
    readonly result: RpcData;
  };
  /** Fills in nonce, gas and fees of a transaction and returns it unsigned: its encoding and its fields. */
  readonly eth_fillTransaction: {
    readonly parameters: [transaction: {
      /** Sender; the zero address where it is left out. */
      readonly from?: Hex | null | undefined;
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
    }];
    readonly result: {
      /** Encoding of the transaction without a signature. */
      readonly raw: RpcData;
      /** The fields of the transaction. */
      readonly tx: RpcUnplacedTransaction;
    };
  };
  /** Price of blob gas in wei: always the least one, because this chain takes no blobs. */
  readonly eth_blobBaseFee: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Always 0x0: blocks have no uncles. */
  readonly eth_getUncleCountByBlockNumber: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }];
    readonly result: RpcQuantity;
  };
  /** Always 0x0: blocks have no uncles. */
  readonly eth_getUncleCountByBlockHash: {
    readonly parameters: [blockHash: Hex];
    readonly result: RpcQuantity;
  };
  /** Uncle of a block: always null, because decided blocks have no rivals. */
  readonly eth_getUncleByBlockNumberAndIndex: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }, index: Hex | number];
    readonly result: null;
  };
  /** Uncle of a block: always null, because decided blocks have no rivals. */
  readonly eth_getUncleByBlockHashAndIndex: {
    readonly parameters: [blockHash: Hex, index: Hex | number];
    readonly result: null;
  };
  /** Network id as a decimal string. */
  readonly net_version: {
    readonly parameters: undefined;
    readonly result: string;
  };
  /** Number of connected peers. */
  readonly net_peerCount: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Whether the node accepts connections of peers. */
  readonly net_listening: {
    readonly parameters: undefined;
    readonly result: boolean;
  };
  /** Name and version of the node software. */
  readonly web3_clientVersion: {
    readonly parameters: undefined;
    readonly result: string;
  };
  /** Keccak-256 of the given bytes. */
  readonly web3_sha3: {
    readonly parameters: [data: Hex];
    readonly result: RpcHash;
  };
  /** Number of pooled transactions that are executable now (pending) and behind a nonce gap (queued). */
  readonly txpool_status: {
    readonly parameters: undefined;
    readonly result: {
      /** Transactions that the next block can take. */
      readonly pending: RpcQuantity;
      /** Transactions behind a gap of nonces. */
      readonly queued: RpcQuantity;
    };
  };
  /** All pooled transactions by status, sender and nonce. */
  readonly txpool_content: {
    readonly parameters: undefined;
    readonly result: {
      /** Transactions that the next block can take. */
      readonly pending: { readonly [key: string]: { readonly [key: string]: {
        /** Hash of the transaction. */
        readonly hash: RpcHash;
        /** Type of the transaction (EIP-2718); 0x50 is native. */
        readonly type: RpcQuantity;
        /** Sender; the zero address where it is left out. */
        readonly from: RpcAddress;
        /** Recipient or contract; without it a contract is created. */
        readonly to: RpcAddress | null;
        /** Amount that is sent, wei. */
        readonly value: RpcQuantity;
        /** Gas limit. */
        readonly gas: RpcQuantity;
        /** Price of gas, wei per gas; excludes the two maximum fees. */
        readonly gasPrice: RpcQuantity;
        /** Number of transactions of the account before this one. */
        readonly nonce: RpcQuantity;
        /** Data of the call: selector and arguments, or the code that creates a contract. */
        readonly input: RpcData;
        /** Height of the block. */
        readonly blockNumber: RpcQuantity | null;
        /** Hash of the block. */
        readonly blockHash: (RpcHash | null) & null;
        /** Place of the transaction in its block, from 0. */
        readonly transactionIndex: RpcQuantity | null;
      } } };
      /** Transactions behind a gap of nonces. */
      readonly queued: { readonly [key: string]: { readonly [key: string]: {
        /** Hash of the transaction. */
        readonly hash: RpcHash;
        /** Type of the transaction (EIP-2718); 0x50 is native. */
        readonly type: RpcQuantity;
        /** Sender; the zero address where it is left out. */
        readonly from: RpcAddress;
        /** Recipient or contract; without it a contract is created. */
        readonly to: RpcAddress | null;
        /** Amount that is sent, wei. */
        readonly value: RpcQuantity;
        /** Gas limit. */
        readonly gas: RpcQuantity;
        /** Price of gas, wei per gas; excludes the two maximum fees. */
        readonly gasPrice: RpcQuantity;
        /** Number of transactions of the account before this one. */
        readonly nonce: RpcQuantity;
        /** Data of the call: selector and arguments, or the code that creates a contract. */
        readonly input: RpcData;
        /** Height of the block. */
        readonly blockNumber: RpcQuantity | null;
        /** Hash of the block. */
        readonly blockHash: (RpcHash | null) & null;
        /** Place of the transaction in its block, from 0. */
        readonly transactionIndex: RpcQuantity | null;
      } } };
    };
  };
  /** Pooled transactions of one sender by status and nonce. */
  readonly txpool_contentFrom: {
    readonly parameters: [address: Hex];
    readonly result: {
      /** Transactions that the next block can take. */
      readonly pending: { readonly [key: string]: {
        /** Hash of the transaction. */
        readonly hash: RpcHash;
        /** Type of the transaction (EIP-2718); 0x50 is native. */
        readonly type: RpcQuantity;
        /** Sender; the zero address where it is left out. */
        readonly from: RpcAddress;
        /** Recipient or contract; without it a contract is created. */
        readonly to: RpcAddress | null;
        /** Amount that is sent, wei. */
        readonly value: RpcQuantity;
        /** Gas limit. */
        readonly gas: RpcQuantity;
        /** Price of gas, wei per gas; excludes the two maximum fees. */
        readonly gasPrice: RpcQuantity;
        /** Number of transactions of the account before this one. */
        readonly nonce: RpcQuantity;
        /** Data of the call: selector and arguments, or the code that creates a contract. */
        readonly input: RpcData;
        /** Height of the block. */
        readonly blockNumber: RpcQuantity | null;
        /** Hash of the block. */
        readonly blockHash: (RpcHash | null) & null;
        /** Place of the transaction in its block, from 0. */
        readonly transactionIndex: RpcQuantity | null;
      } };
      /** Transactions behind a gap of nonces. */
      readonly queued: { readonly [key: string]: {
        /** Hash of the transaction. */
        readonly hash: RpcHash;
        /** Type of the transaction (EIP-2718); 0x50 is native. */
        readonly type: RpcQuantity;
        /** Sender; the zero address where it is left out. */
        readonly from: RpcAddress;
        /** Recipient or contract; without it a contract is created. */
        readonly to: RpcAddress | null;
        /** Amount that is sent, wei. */
        readonly value: RpcQuantity;
        /** Gas limit. */
        readonly gas: RpcQuantity;
        /** Price of gas, wei per gas; excludes the two maximum fees. */
        readonly gasPrice: RpcQuantity;
        /** Number of transactions of the account before this one. */
        readonly nonce: RpcQuantity;
        /** Data of the call: selector and arguments, or the code that creates a contract. */
        readonly input: RpcData;
        /** Height of the block. */
        readonly blockNumber: RpcQuantity | null;
        /** Hash of the block. */
        readonly blockHash: (RpcHash | null) & null;
        /** Place of the transaction in its block, from 0. */
        readonly transactionIndex: RpcQuantity | null;
      } };
    };
  };
  /** All pooled transactions by status, sender and nonce, each in one line of text. */
  readonly txpool_inspect: {
    readonly parameters: undefined;
    readonly result: {
      /** Transactions that the next block can take. */
      readonly pending: { readonly [key: string]: { readonly [key: string]: string } };
      /** Transactions behind a gap of nonces. */
      readonly queued: { readonly [key: string]: { readonly [key: string]: string } };
    };
  };
  /** Runs a transaction again on the state that it found and returns what the tracer saw: every instruction without a tracer, or callTracer, prestateTracer, 4byteTracer, noopTracer, or several of them as the tracerConfig of muxTracer. */
  readonly debug_traceTransaction: {
    readonly parameters: [transactionHash: Hex, config?: {
      /** Name of the tracer: callTracer, prestateTracer, 4byteTracer, muxTracer, noopTracer. */
      readonly tracer?: string | null | undefined;
      /** Settings of the named tracer. */
      readonly tracerConfig?: ({ readonly [key: string]: unknown } | null) | undefined;
      /** Longest time of the whole, as a Go duration such as `5s`. */
      readonly timeout?: string | null | undefined;
      /** Leaves out the stack of each step. */
      readonly disableStack?: boolean | null | undefined;
      /** Leaves out the storage of each step. */
      readonly disableStorage?: boolean | null | undefined;
      /** Shows the memory of each step. */
      readonly enableMemory?: boolean | null | undefined;
      /** Shows the return data of each step. */
      readonly enableReturnData?: boolean | null | undefined;
      /** Most steps that are kept; 0 keeps all. */
      readonly limit?: number | null | undefined;
    } | null];
    readonly result: {
      /** Gas that the transaction used. */
      readonly gas: number;
      /** Whether the execution failed. */
      readonly failed: boolean;
      /** What the execution returned. */
      readonly returnValue: RpcData;
      /** Steps of the EVM, in order. */
      readonly structLogs: readonly {
        /** Place in the code, bytes from its start. */
        readonly pc: number;
        /** Name of the instruction. */
        readonly op: string;
        /** Gas that is left before the step. */
        readonly gas: number;
        /** Gas of the step. */
        readonly gasCost: number;
        /** Depth of the call, from 1. */
        readonly depth: number;
        /** Gas to be refunded so far. */
        readonly refund: number;
        /** Why the step failed. */
        readonly error?: string | undefined;
        /** The stack before the step, its top last. */
        readonly stack?: readonly Hex[] | undefined;
        /** The memory before the step, in words of 32 bytes. */
        readonly memory?: readonly Hex[] | undefined;
        /** What the latest inner call returned. */
        readonly returnData?: RpcData | undefined;
        /** Slots of the contract that it touched so far. */
        readonly storage?: { readonly [key: string]: Hex } | undefined;
      }[];
    } | { readonly [key: string]: unknown };
  };
  /** Runs all transactions of the block with a number again and returns what the tracer saw of each, in order. */
  readonly debug_traceBlockByNumber: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number, config?: {
      /** Name of the tracer: callTracer, prestateTracer, 4byteTracer, muxTracer, noopTracer. */
      readonly tracer?: string | null | undefined;
      /** Settings of the named tracer. */
      readonly tracerConfig?: ({ readonly [key: string]: unknown } | null) | undefined;
      /** Longest time of the whole, as a Go duration such as `5s`. */
      readonly timeout?: string | null | undefined;
      /** Leaves out the stack of each step. */
      readonly disableStack?: boolean | null | undefined;
      /** Leaves out the storage of each step. */
      readonly disableStorage?: boolean | null | undefined;
      /** Shows the memory of each step. */
      readonly enableMemory?: boolean | null | undefined;
      /** Shows the return data of each step. */
      readonly enableReturnData?: boolean | null | undefined;
      /** Most steps that are kept; 0 keeps all. */
      readonly limit?: number | null | undefined;
    } | null];
    readonly result: readonly ({
      /** Hash of the transaction. */
      readonly txHash: Hex;
      /** The trace; left out for a transaction that was not executed. */
      readonly result: {
        /** Gas that the transaction used. */
        readonly gas: number;
        /** Whether the execution failed. */
        readonly failed: boolean;
        /** What the execution returned. */
        readonly returnValue: RpcData;
        /** Steps of the EVM, in order. */
        readonly structLogs: readonly {
          /** Place in the code, bytes from its start. */
          readonly pc: number;
          /** Name of the instruction. */
          readonly op: string;
          /** Gas that is left before the step. */
          readonly gas: number;
          /** Gas of the step. */
          readonly gasCost: number;
          /** Depth of the call, from 1. */
          readonly depth: number;
          /** Gas to be refunded so far. */
          readonly refund: number;
          /** Why the step failed. */
          readonly error?: string | undefined;
          /** The stack before the step, its top last. */
          readonly stack?: readonly Hex[] | undefined;
          /** The memory before the step, in words of 32 bytes. */
          readonly memory?: readonly Hex[] | undefined;
          /** What the latest inner call returned. */
          readonly returnData?: RpcData | undefined;
          /** Slots of the contract that it touched so far. */
          readonly storage?: { readonly [key: string]: Hex } | undefined;
        }[];
      } | { readonly [key: string]: unknown };
    } | {
      /** Hash of the transaction. */
      readonly txHash: Hex;
      /** Why it failed, in words. */
      readonly error: string;
    })[];
  };
  /** Runs all transactions of the block with a hash again and returns what the tracer saw of each, in order. */
  readonly debug_traceBlockByHash: {
    readonly parameters: [blockHash: Hex, config?: {
      /** Name of the tracer: callTracer, prestateTracer, 4byteTracer, muxTracer, noopTracer. */
      readonly tracer?: string | null | undefined;
      /** Settings of the named tracer. */
      readonly tracerConfig?: ({ readonly [key: string]: unknown } | null) | undefined;
      /** Longest time of the whole, as a Go duration such as `5s`. */
      readonly timeout?: string | null | undefined;
      /** Leaves out the stack of each step. */
      readonly disableStack?: boolean | null | undefined;
      /** Leaves out the storage of each step. */
      readonly disableStorage?: boolean | null | undefined;
      /** Shows the memory of each step. */
      readonly enableMemory?: boolean | null | undefined;
      /** Shows the return data of each step. */
      readonly enableReturnData?: boolean | null | undefined;
      /** Most steps that are kept; 0 keeps all. */
      readonly limit?: number | null | undefined;
    } | null];
    readonly result: readonly ({
      /** Hash of the transaction. */
      readonly txHash: Hex;
      /** The trace; left out for a transaction that was not executed. */
      readonly result: {
        /** Gas that the transaction used. */
        readonly gas: number;
        /** Whether the execution failed. */
        readonly failed: boolean;
        /** What the execution returned. */
        readonly returnValue: RpcData;
        /** Steps of the EVM, in order. */
        readonly structLogs: readonly {
          /** Place in the code, bytes from its start. */
          readonly pc: number;
          /** Name of the instruction. */
          readonly op: string;
          /** Gas that is left before the step. */
          readonly gas: number;
          /** Gas of the step. */
          readonly gasCost: number;
          /** Depth of the call, from 1. */
          readonly depth: number;
          /** Gas to be refunded so far. */
          readonly refund: number;
          /** Why the step failed. */
          readonly error?: string | undefined;
          /** The stack before the step, its top last. */
          readonly stack?: readonly Hex[] | undefined;
          /** The memory before the step, in words of 32 bytes. */
          readonly memory?: readonly Hex[] | undefined;
          /** What the latest inner call returned. */
          readonly returnData?: RpcData | undefined;
          /** Slots of the contract that it touched so far. */
          readonly storage?: { readonly [key: string]: Hex } | undefined;
        }[];
      } | { readonly [key: string]: unknown };
    } | {
      /** Hash of the transaction. */
      readonly txHash: Hex;
      /** Why it failed, in words. */
      readonly error: string;
    })[];
  };
  /** Runs a message call on the state after a block, or before its transaction with the index txIndex, and returns what the tracer saw. */
  readonly debug_traceCall: {
    readonly parameters: [transaction: {
      /** Sender; the zero address where it is left out. */
      readonly from?: Hex | null | undefined;
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
    }, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null, config?: {
      /** Name of the tracer: callTracer, prestateTracer, 4byteTracer, muxTracer, noopTracer. */
      readonly tracer?: string | null | undefined;
      /** Settings of the named tracer. */
      readonly tracerConfig?: ({ readonly [key: string]: unknown } | null) | undefined;
      /** Longest time of the whole, as a Go duration such as `5s`. */
      readonly timeout?: string | null | undefined;
      /** Leaves out the stack of each step. */
      readonly disableStack?: boolean | null | undefined;
      /** Leaves out the storage of each step. */
      readonly disableStorage?: boolean | null | undefined;
      /** Shows the memory of each step. */
      readonly enableMemory?: boolean | null | undefined;
      /** Shows the return data of each step. */
      readonly enableReturnData?: boolean | null | undefined;
      /** Most steps that are kept; 0 keeps all. */
      readonly limit?: number | null | undefined;
      /** What the call assumes about accounts, by address. */
      readonly stateOverrides?: ({ readonly [key: string]: {
        /** Nonce of the account. */
        readonly nonce?: Hex | null | undefined;
        /** Balance of the account, wei. */
        readonly balance?: Hex | null | undefined;
        /** Code of the account. */
        readonly code?: Hex | null | undefined;
        /** The whole storage of the account by slot; what is not listed is 0. */
        readonly state?: ({ readonly [key: string]: Hex } | null) | undefined;
        /** Slots of the account that differ from the stored ones. */
        readonly stateDiff?: ({ readonly [key: string]: Hex } | null) | undefined;
        /** Address at which the precompile of this address answers instead. */
        readonly movePrecompileToAddress?: Hex | null | undefined;
      } } | null) | undefined;
      /** What the call assumes about its block in place of the header. */
      readonly blockOverrides?: ({
        /** Height. */
        readonly number?: Hex | number | null | undefined;
        /** Time, seconds since 1970. */
        readonly time?: Hex | number | null | undefined;
        /** Gas limit of the block. */
        readonly gasLimit?: Hex | null | undefined;
        /** Account that gets the tips. */
        readonly feeRecipient?: Hex | null | undefined;
        /** What PREVRANDAO gives. */
        readonly prevRandao?: Hex | null | undefined;
        /** Base fee, wei per gas. */
        readonly baseFeePerGas?: Hex | null | undefined;
        /** What BLOBBASEFEE gives, wei per blob gas. */
        readonly blobBaseFee?: Hex | null | undefined;
      } | null) | undefined;
      /** How many transactions of the block run before the call; all where it is left out. */
      readonly txIndex?: Hex | number | null | undefined;
    } | null];
    readonly result: {
      /** Gas that the transaction used. */
      readonly gas: number;
      /** Whether the execution failed. */
      readonly failed: boolean;
      /** What the execution returned. */
      readonly returnValue: RpcData;
      /** Steps of the EVM, in order. */
      readonly structLogs: readonly {
        /** Place in the code, bytes from its start. */
        readonly pc: number;
        /** Name of the instruction. */
        readonly op: string;
        /** Gas that is left before the step. */
        readonly gas: number;
        /** Gas of the step. */
        readonly gasCost: number;
        /** Depth of the call, from 1. */
        readonly depth: number;
        /** Gas to be refunded so far. */
        readonly refund: number;
        /** Why the step failed. */
        readonly error?: string | undefined;
        /** The stack before the step, its top last. */
        readonly stack?: readonly Hex[] | undefined;
        /** The memory before the step, in words of 32 bytes. */
        readonly memory?: readonly Hex[] | undefined;
        /** What the latest inner call returned. */
        readonly returnData?: RpcData | undefined;
        /** Slots of the contract that it touched so far. */
        readonly storage?: { readonly [key: string]: Hex } | undefined;
      }[];
    } | { readonly [key: string]: unknown };
  };
  /** Chain id of the network. */
  readonly prime_chainId: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Number of the newest committed block. */
  readonly prime_blockNumber: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Balance of an account, in wei. */
  readonly prime_getBalance: {
    readonly parameters: [address: Hex, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcQuantity;
  };
  /** Price per gas in wei that is enough for a call on the head and for the next block: the higher of their base fees and the suggested tip. */
  readonly prime_gasPrice: {
    readonly parameters: undefined;
    readonly result: RpcQuantity;
  };
  /** Bytecode at an address; 0x where there is none. */
  readonly prime_getCode: {
    readonly parameters: [address: Hex, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcData;
  };
  /** Value of a storage slot of a contract, 32 bytes. */
  readonly prime_getStorageAt: {
    readonly parameters: [address: Hex, slot: Hex, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcHash;
  };
  /** Nonce of an account: the number of transactions it has sent. With "pending", pooled ones are counted. */
  readonly prime_getTransactionCount: {
    readonly parameters: [address: Hex, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcQuantity;
  };
  /** Runs a message call on the state after a block, without making a transaction, and returns its output. */
  readonly prime_call: {
    readonly parameters: [transaction: {
      /** Sender; the zero address where it is left out. */
      readonly from?: Hex | null | undefined;
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
    }, block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null, stateOverrides?: { readonly [key: string]: {
      /** Nonce of the account. */
      readonly nonce?: Hex | null | undefined;
      /** Balance of the account, wei. */
      readonly balance?: Hex | null | undefined;
      /** Code of the account. */
      readonly code?: Hex | null | undefined;
      /** The whole storage of the account by slot; what is not listed is 0. */
      readonly state?: ({ readonly [key: string]: Hex } | null) | undefined;
      /** Slots of the account that differ from the stored ones. */
      readonly stateDiff?: ({ readonly [key: string]: Hex } | null) | undefined;
      /** Address at which the precompile of this address answers instead. */
      readonly movePrecompileToAddress?: Hex | null | undefined;
    } } | null, blockOverrides?: {
      /** Height. */
      readonly number?: Hex | number | null | undefined;
      /** Time, seconds since 1970. */
      readonly time?: Hex | number | null | undefined;
      /** Gas limit of the block. */
      readonly gasLimit?: Hex | null | undefined;
      /** Account that gets the tips. */
      readonly feeRecipient?: Hex | null | undefined;
      /** What PREVRANDAO gives. */
      readonly prevRandao?: Hex | null | undefined;
      /** Base fee, wei per gas. */
      readonly baseFeePerGas?: Hex | null | undefined;
      /** What BLOBBASEFEE gives, wei per blob gas. */
      readonly blobBaseFee?: Hex | null | undefined;
    } | null];
    readonly result: RpcData;
  };
  /** A block by its number or tag, with hashes of its transactions or the transactions; null when there is none. */
  readonly prime_getBlockByNumber: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }, fullTransactions?: boolean | null];
    readonly result: RpcNativeBlock | null;
  };
  /** What a committed transaction did; null while it is in no block. */
  readonly prime_getTransactionReceipt: {
    readonly parameters: [transactionHash: Hex];
    readonly result: RpcReceipt | null;
  };
  /** A committed or pooled transaction by its hash; null when it is not known. */
  readonly prime_getTransactionByHash: {
    readonly parameters: [transactionHash: Hex];
    readonly result: RpcTransaction | null;
  };
  /** Signs a transaction with an account that the node holds and submits it; missing nonce, gas and fees are filled in. */
  readonly prime_sendTransaction: {
    readonly parameters: [transaction: {
      /** Recipient or contract; without it a contract is created. */
      readonly to?: Hex | null | undefined;
      /** Gas limit. */
      readonly gas?: Hex | null | undefined;
      /** Price of gas, wei per gas; excludes the two maximum fees. */
      readonly gasPrice?: Hex | null | undefined;
      /** Most that is paid for gas, base fee and tip together, wei per gas. */
      readonly maxFeePerGas?: Hex | null | undefined;
      /** Most of the price that is a tip to the proposer, wei per gas. */
      readonly maxPriorityFeePerGas?: Hex | null | undefined;
      /** Amount that is sent, wei. */
      readonly value?: Hex | null | undefined;
      /** Older name of `input`; where both are given they have to be equal. */
      readonly data?: Hex | null | undefined;
      /** Data of the call: selector and arguments, or the code that creates a contract. */
      readonly input?: Hex | null | undefined;
      /** Number of transactions of the account before this one. */
      readonly nonce?: Hex | number | null | undefined;
      /** Chain that the request is for; any other than that of the node is refused. */
      readonly chainId?: Hex | null | undefined;
      /** Accounts and slots that the transaction makes warm (EIP-2930). */
      readonly accessList?: (readonly {
        /** Account that is made warm. */
        readonly address: Hex;
        /** Slots of the account that are made warm. */
        readonly storageKeys?: readonly Hex[] | undefined;
      }[] | null) | undefined;
      /** Delegations of accounts to code (EIP-7702). */
      readonly authorizationList?: (readonly {
        /** Chain on which the delegation holds; 0 is every chain. */
        readonly chainId: Hex;
        /** Contract whose code the signer runs; the zero address ends a delegation. */
        readonly address: Hex;
        /** Nonce that the signer’s account has to have. */
        readonly nonce: Hex;
        /** Parity of the signature, 0 or 1. */
        readonly yParity?: Hex | undefined;
        /** Older name of `yParity`. */
        readonly v?: Hex | undefined;
        /** First part of the signature. */
        readonly r: Hex;
        /** Second part of the signature. */
        readonly s: Hex;
      }[] | null) | undefined;
      /** Sender; the zero address where it is left out. */
      readonly from: Hex;
    }];
    readonly result: RpcHash;
  };
  /** Logs of a block range or of one block, filtered by address and topics. */
  readonly prime_getLogs: {
    readonly parameters: [filter: {
      /** The one block that is wanted; excludes a range. */
      readonly blockHash?: Hex | null | undefined;
      /** First block of the range; the head where it is left out. */
      readonly fromBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Last block of the range; the head where it is left out. */
      readonly toBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Contracts whose logs are wanted, one or a list; all where it is left out. */
      readonly address?: (Hex | readonly Hex[] | null) | undefined;
      /** Topics of the log, or by position those that are wanted: null is any, a list is one of them. */
      readonly topics?: (readonly (Hex | null | readonly (Hex | null)[])[] | null) | undefined;
    }];
    readonly result: readonly RpcLog[];
  };
  /** Opens a subscription of this WebSocket connection and answers its id; eth_subscription notifications follow. */
  readonly prime_subscribe: {
    readonly parameters: [kind: string, options?: (boolean | {
      /** The one block that is wanted; excludes a range. */
      readonly blockHash?: Hex | null | undefined;
      /** First block of the range; the head where it is left out. */
      readonly fromBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Last block of the range; the head where it is left out. */
      readonly toBlock?: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | null | undefined;
      /** Account, or for logs and events one or a list. */
      readonly address?: (Hex | readonly Hex[] | null) | undefined;
      /** Topics of the log, or by position those that are wanted: null is any, a list is one of them. */
      readonly topics?: (readonly (Hex | null | readonly (Hex | null)[])[] | null) | undefined;
      /** Number of the market. */
      readonly market_id?: Hex | number | null | undefined;
      /** Part of the chain: orders, bridge or validators. */
      readonly domain?: string | null | undefined;
      /** Kind of event that is wanted; all where it is left out. */
      readonly kind?: string | null | undefined;
      /** Length of the candles. */
      readonly interval?: string | null | undefined;
    }) | null];
    readonly result: Hex;
  };
  /** Ends a subscription of this WebSocket connection. */
  readonly prime_unsubscribe: {
    readonly parameters: [subscriptionId: Hex];
    readonly result: true;
  };
  /** The active validators with their stake and voting power. With a block: those who decided it, in the order of their set, as a light client needs them beside prime_getCommit. */
  readonly prime_validators: {
    readonly parameters: [block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: readonly {
      /** Account or contract that is asked about. */
      readonly address: RpcAddress;
      /** Compressed public key of the validator, 33 bytes. */
      readonly public_key: RpcData;
      /** What the validator has bonded, wei. */
      readonly stake: RpcQuantity;
      /** Weight of its votes. */
      readonly voting_power: RpcQuantity;
      /** Whether it votes now. */
      readonly status: string;
      /** Turn in the rotation of proposers: the highest is next. */
      readonly proposer_priority: RpcSignedQuantity;
      /** Name that the validator gave itself. */
      readonly moniker: string;
    }[];
  };
  /** All validators with stake, in the set or not. Empty on networks whose validators never change. */
  readonly prime_registeredValidators: {
    readonly parameters: undefined;
    readonly result: readonly {
      /** Account or contract that is asked about. */
      readonly address: RpcAddress;
      /** Address of the key that signs now. */
      readonly signer: RpcAddress;
      /** Compressed public key of the validator, 33 bytes. */
      readonly public_key: RpcData;
      /** What the validator has bonded, wei. */
      readonly stake: RpcQuantity;
      /** Weight of its votes. */
      readonly voting_power: RpcQuantity;
      /** Whether it votes, is jailed, or left. */
      readonly status: string;
      /** Time until which it may not come back, ms since 1970; null while it is not jailed. */
      readonly jailed_until_ms: RpcQuantity | null;
      /** Whether it may never come back. */
      readonly tombstoned: boolean;
      /** Name that the validator gave itself. */
      readonly moniker: string;
      /** Where the validator is reached; null where it did not say. */
      readonly endpoint: {
        /** Name or address of the machine. */
        readonly host: string;
        /** TCP port. */
        readonly port: number;
        /** Pin of the key of its connections: hash of the public key. */
        readonly spki: RpcData;
      } | null;
    }[];
  };
  /** Domain events of a block range: order book, bridge and validator changes, in the order of execution; with `address` those that name one of these accounts. One that a contract caused has the ticket of its write, and the hash of its transaction in the block before. */
  readonly prime_getDomainEvents: {
    readonly parameters: [filter: {
      /** First block of the range; the head where it is left out. */
      readonly fromBlock: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
      /** Last block of the range; the head where it is left out. */
      readonly toBlock: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
      /** Part of the chain: orders, bridge or validators. */
      readonly domain?: string | null | undefined;
      /** Kind of event that is wanted; all where it is left out. */
      readonly kind?: string | null | undefined;
      /** Accounts of which an event has to name one, one or a list; all where it is left out. */
      readonly address?: (Hex | readonly Hex[] | null) | undefined;
    }];
    readonly result: readonly RpcDomainEvent[];
  };
  /** What proves that a block was decided: its header in canonical bytes and the commit certificate over the hash of it; null when there is no such block. Genesis is not decided, it has none. */
  readonly prime_getCommit: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }];
    readonly result: RpcCommit | null;
  };
  /** How blocks were decided, oldest first: proposer, round, time, whose precommits are in the certificate, and whose turn the rounds before it were, which failed. `count` blocks from `from` on, at most 256; what is not decided yet, and genesis, are left out. */
  readonly prime_getCommits: {
    readonly parameters: [from: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number, count: Hex | number];
    readonly result: readonly RpcCommitSummary[];
  };
  /** Transactions and signed actions that concern an account, the last first, with what it is to each: sender, recipient or created contract of a transaction; of an action sender (its owner), named (who is paid, liquidated or may act) or agent (who signed it for its owner). What a contract did on the way is in traces and logs, not here. `page` is {limit, before}, both optional: at most `limit` of them (default 25, at most 100; fewer where they are large) in front of the place `before`, which is the `next` of the page before; `next` is null on the last page. A node that prunes tells of the blocks from `oldest_block` on. */
  readonly prime_getAccountTransactions: {
    readonly parameters: [address: Hex, page?: {
      /** Most entries that are answered. */
      readonly limit?: Hex | number | null | undefined;
      /** The place in front of which they are; the end of the chain where it is left out. */
      readonly before?: ({
        /** Height of the block. */
        readonly block_number: Hex | number;
        /** Place of the transaction in its block, from 0. */
        readonly transaction_index: Hex | number;
      } | null) | undefined;
    } | null];
    readonly result: RpcAccountTransactions;
  };
  /** The height that is being decided as this node sees it: what the next block waits for and since when, whose turn it is, and who voted. `waits_for` is work (a transaction, or the time of an empty block), proposal, prevotes, precommits, execution (of a block that is decided), or blocks (that others have and this node lacks). */
  readonly prime_consensusStatus: {
    readonly parameters: undefined;
    readonly result: RpcConsensusStatus;
  };
  /** What this node knows of the network: the version of the rules and the next upgrade, each validator of the set with its newest block and the version that it knows, and the other nodes that are connected. Of no node an address is told, and of nodes that operators hide nothing. */
  readonly prime_network: {
    readonly parameters: undefined;
    readonly result: RpcNetwork;
  };
  /** All actions of a block in their order, with what each answered there; null when there is no such block. An action that stands in two blocks was carried out in one of them, and has a result of its own in both. */
  readonly prime_getBlockActions: {
    readonly parameters: [block: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }];
    readonly result: readonly RpcBlockAction[] | null;
  };
  /** The genesis that the node runs on, as genesis.json has it: what is left out there is left out here. Its hash is the hash of block 0. */
  readonly prime_getGenesis: {
    readonly parameters: undefined;
    readonly result: RpcGenesis;
  };
  /** The parameters that are in force after a block, the newest one where none is named: of consensus, EVM and order book as genesis names them, in snake_case and with every default, and of each market. Margin in `clob` is that of markets without their own. Wei are quantities, everything else is a plain number. What genesis leaves out and has no default is left out. */
  readonly prime_getParameters: {
    readonly parameters: [block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: RpcNetworkParameters;
  };
  /** The changes of parameters that are open after a block, the newest one where none is named: those that validators vote on, and those that were decided and wait for their height. By the height at which they are made, then by hash. What became of others is told by events. */
  readonly prime_getProposals: {
    readonly parameters: [block?: ('latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number | {
      /** Height or tag of the block. */
      readonly blockNumber: 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized' | Hex | number;
    } | {
      /** Hash of the block. */
      readonly blockHash: Hex;
      /** Taken for other chains’ sake: every block here is final. */
      readonly requireCanonical?: boolean | undefined;
    }) | null];
    readonly result: readonly RpcParameterProposal[];
  };
  /** Opens a market and returns the id assigned to it, after the block that did so is committed. Without decimals a base unit is whole, and the quote has 18. */
  readonly primeorders_addMarket: {
    readonly parameters: [symbol: string, tickSize: Hex, lotSize: Hex, decimals?: {
      /** Decimals of the base: a whole unit is 10^base_decimals base units. A size s reads as s / 10^base_decimals, a price p as p · 10^(base_decimals − quote_decimals). */
      readonly base_decimals: number;
      /** Decimals of the quote: a whole unit is 10^quote_decimals wei. */
      readonly quote_decimals: number;
    } | null, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: RpcQuantity;
  };
  /** Moves wei of an EVM account into its margin collateral, and answers after the block that did so is committed. Where genesis names a faucet, as on the local network of npm start, it pays what the account lacks; elsewhere such a deposit is refused. */
  readonly primeorders_depositCollateral: {
    readonly parameters: [address: Hex, amount: Hex, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Account or contract that is asked about. */
      readonly address: RpcAddress;
      /** Amount, wei. */
      readonly amount: RpcQuantity;
      /** Collateral of the account, wei; negative is a debt. */
      readonly collateral: RpcSignedQuantity;
    };
  };
  /** Sets the margin of one market, or without market_id that of all markets that have none of their own. */
  readonly primeorders_setMarginParams: {
    readonly parameters: [params: {
      /** Margin that a new position needs, hundredths of a percent of its notional. */
      readonly initialMarginBps: Hex | number;
      /** Margin below which a position is liquidated, hundredths of a percent of its notional. */
      readonly maintenanceMarginBps: Hex | number;
      /** Number of the market. */
      readonly market_id?: Hex | number | null | undefined;
    }, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: true;
  };
  /** Places a limit order and returns what became of it, after the block that matched it is committed. With `stop` or `take_profit`, triggers come with it: they sleep until it fills, then close what it filled. Their ids are the next ones after the order, the stop first. */
  readonly primeorders_submitOrder: {
    readonly parameters: [order: {
      /** Account of the order. */
      readonly owner: Hex;
      /** Number of the market. */
      readonly market_id: Hex | number;
      /** buy or sell; of a trade the taker’s side. */
      readonly side: 'buy' | 'sell';
      /** Price, wei of the quote per base unit. */
      readonly price: Hex;
      /** Size, base units. */
      readonly size: Hex;
      /** Time in force: gtc rests, ioc does not, fok trades whole or not at all. */
      readonly tif: 'gtc' | 'ioc' | 'fok';
      /** Refuses the order where it would trade at once. */
      readonly post_only?: boolean | undefined;
      /** Trades only as far as it makes the position smaller. */
      readonly reduce_only?: boolean | undefined;
      /** What happens when the order meets one of its own account; the network’s rule where it is left out. */
      readonly stp?: 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'decrement' | undefined;
      /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
      readonly client_id?: Hex | undefined;
      /** Last second in which the order rests, seconds since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Closes what the order filled, by a trigger of the other side, when the mark goes against it. It sleeps until the first fill. */
      readonly stop?: {
        /** Mark at which the order fires, wei of the quote per base unit. */
        readonly trigger_price: Hex;
        /** Limit of the order when it fires, wei of the quote per base unit; left out or 0x0 for a market order. */
        readonly limit_price?: Hex | undefined;
      } | undefined;
      /** The same when the mark goes in its favour. When one of both fires, the other and what is left of the order end. */
      readonly take_profit?: {
        /** Mark at which the order fires, wei of the quote per base unit. */
        readonly trigger_price: Hex;
        /** Limit of the order when it fires, wei of the quote per base unit; left out or 0x0 for a market order. */
        readonly limit_price?: Hex | undefined;
      } | undefined;
    }, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Number of the order. */
      readonly order_id: RpcQuantity;
      /** Part of the size that traded, base units. */
      readonly filled: RpcQuantity;
      /** Part of the size that still rests, base units. */
      readonly remaining: RpcQuantity;
      /** Trades of the order, in order. */
      readonly trades: readonly RpcTrade[];
      /** open where it rests, filled, or cancelled. */
      readonly status: string;
      /** Number of the market. */
      readonly market_id: number;
      /** Part of the size that self-trade prevention took off, base units: filled + remaining + decremented is the size. */
      readonly decremented: RpcQuantity;
      /** Why it was refused or ended; null where it was not. */
      readonly reason: string | null;
      /** Height of the block. */
      readonly block_number: RpcQuantity;
      /** Hash of the action. */
      readonly hash: RpcHash;
    };
  };
  /** Price levels of a market, both sides ascending: the best bid is last, the best ask first. */
  readonly primeorders_getOrderBook: {
    readonly parameters: [marketId: Hex | number];
    readonly result: RpcOrderBook;
  };
  /** The resting orders of an account in all markets, and its triggers, by order id. A trigger has `kind` and `trigger_price`; its `price` is the limit of its order, 0x0 for a market order. One that is attached to an order has `parent_order_id`. */
  readonly primeorders_getOpenOrders: {
    readonly parameters: [address: Hex];
    readonly result: readonly {
      /** Number of the order. */
      readonly order_id: RpcQuantity;
      /** Number of the market. */
      readonly market_id: number;
      /** Account of the order. */
      readonly owner: RpcAddress;
      /** buy or sell; of a trade the taker’s side. */
      readonly side: string;
      /** Price, wei of the quote per base unit. */
      readonly price: RpcQuantity;
      /** Size, base units. */
      readonly size: RpcQuantity;
      /** Part of the size that traded, base units. */
      readonly filled: RpcQuantity;
      /** Part of the size that still rests, base units. */
      readonly remaining: RpcQuantity;
      /** Time in force: gtc rests, ioc does not, fok trades whole or not at all. */
      readonly tif: string;
      /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
      readonly client_id: RpcData | null;
      /** Height of the block that took it in. */
      readonly created_block: RpcQuantity;
      /** Last second in which the order rests, seconds since 1970; 0 is never. */
      readonly expires_at: RpcQuantity;
      /** Trades only as far as it makes the position smaller. */
      readonly reduce_only: boolean;
      /** stop or take_profit of a trigger; an order of the book has none. */
      readonly kind?: string | undefined;
      /** Mark at which the order fires, wei of the quote per base unit. */
      readonly trigger_price?: RpcQuantity | undefined;
      /** Closes the whole position, whatever it is when the order fires. */
      readonly position?: boolean | undefined;
      /** Of the orders of an account that wait with the same number one fires; 0 is no group. */
      readonly group?: number | undefined;
      /** Its condition held, and it fires when its turn comes. */
      readonly due?: boolean | undefined;
      /** Order whose fills the trigger closes; absent where it stands for itself. */
      readonly parent_order_id?: RpcQuantity | undefined;
      /** The order that it is attached to filled nothing yet, so it waits for no mark. */
      readonly asleep?: boolean | undefined;
    }[];
  };
  /** An order, a market, a price level, an account or the totals of the order book with what proves it, or its absence, under the state root of the newest block: the way in the tree of records to the orders root, and the orders root as slot 0 of 0x…0100 (EIP-1186). `key` and `record` are those of the leaf: for an order that of its page of eight ids. Levels are there where genesis has `clob.levelProofs`, elsewhere they are refused. How to check it: docs/protocol/orders-root.md. */
  readonly primeorders_getProof: {
    readonly parameters: [record: {
      /** Number of the order. */
      readonly order_id: Hex;
    } | {
      /** Number of the market. */
      readonly market_id: Hex | number;
    } | {
      /** Number of the market. */
      readonly market_id: Hex | number;
      /** buy or sell; of a trade the taker’s side. */
      readonly side: 'buy' | 'sell';
      /** Price, wei of the quote per base unit. */
      readonly price: Hex;
    } | {
      /** Account or contract that is asked about. */
      readonly address: Hex;
    } | {
      /** True for the record of the whole order book. */
      readonly global: true;
    }];
    readonly result: {
      /** Height of the block. */
      readonly block_number: RpcQuantity;
      /** Hash of the block. */
      readonly block_hash: RpcHash;
      /** Root of the state after the block. */
      readonly state_root: RpcHash;
      /** Key of the record. */
      readonly key: RpcData;
      /** Whether there is such a record. */
      readonly present: boolean;
      /** The record that is proven. */
      readonly record: {
        /** Key of the record. */
        readonly key: RpcData;
        /** Encoding of the record; null where there is none. */
        readonly value: RpcData;
      } | null;
      /** Nodes from the record to the orders root. */
      readonly steps: readonly {
        /** Level of the node in the tree. */
        readonly depth: number;
        /** Hashes of the node’s children. */
        readonly children: readonly RpcHash[];
      }[];
      /** Proof of the account of the order book in the state. */
      readonly account_proof: {
        /** Account or contract that is asked about. */
        readonly address: RpcAddress;
        /** Nodes of the account trie from the root to the account. */
        readonly accountProof: readonly RpcData[];
        /** Balance of the account of the order book, wei. */
        readonly balance: RpcQuantity;
        /** Hash of the account’s code. */
        readonly codeHash: RpcHash;
        /** Nonce of the account. */
        readonly nonce: RpcQuantity;
        /** Root of the account’s storage. */
        readonly storageHash: RpcHash;
        /** A proof for each wanted slot. */
        readonly storageProof: readonly {
          /** The slot. */
          readonly key: RpcHash;
          /** What the slot holds. */
          readonly value: RpcQuantity;
          /** Nodes of the storage trie from the root to the slot. */
          readonly proof: readonly RpcData[];
        }[];
      };
    };
  };
  /** Takes an open order out of the book; true after the block that did so is committed. */
  readonly primeorders_cancelOrder: {
    readonly parameters: [orderId: Hex, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: true;
  };
  /** Whether the equity of an account is below its maintenance margin, at the mark prices of the block to come. */
  readonly primeorders_isLiquidatable: {
    readonly parameters: [address: Hex];
    readonly result: boolean;
  };
  /** Closes positions of an account below its maintenance margin, as far as the book takes them near the mark, until it is healthy; all of them where its equity is negative. Anyone may ask for it, and who signs gets a part of the fee. */
  readonly primeorders_liquidate: {
    readonly parameters: [address: Hex, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Account or contract that is asked about. */
      readonly address: RpcAddress;
      /** Positions by market. */
      readonly positions: readonly {
        /** Number of the market. */
        readonly market_id: number;
        /** Size of the position, base units; negative is short. */
        readonly size: RpcSignedQuantity;
        /** Size that was closed in the book, base units. */
        readonly closed: RpcQuantity;
        /** Trades of the order, in order. */
        readonly trades: readonly RpcTrade[];
        /** Fee of the trade or liquidation, wei. */
        readonly fee: RpcQuantity;
        /** What the insurance fund paid, wei. */
        readonly insurance_paid: RpcQuantity;
        /** Positions of others that took over the rest. */
        readonly adl: readonly {
          /** Account of the other position. */
          readonly address: RpcAddress;
          /** Size that it took over, base units. */
          readonly size: RpcQuantity;
          /** Notional of that size at the price of the transfer, wei. */
          readonly value: RpcQuantity;
        }[];
        /** Size that is still open, base units. */
        readonly remaining: RpcQuantity;
      }[];
      /** Orders that were cancelled. */
      readonly cancelled_orders: readonly RpcQuantity[];
      /** Collateral of the account, wei; negative is a debt. */
      readonly collateral: RpcSignedQuantity;
      /** Loss that nobody paid, wei. */
      readonly bad_debt: RpcQuantity;
      /** What the sender got of the fee, wei. */
      readonly reward: RpcQuantity;
      /** Height of the block. */
      readonly block_number: RpcQuantity;
    };
  };
  /** All markets by id, with grid, decimals, prices and the margin that applies; fees, risk tiers, limits, funding and the price from outside where the network has them. Funding is in 10^-9 wei for one base unit: what a long has paid so far (index) and in the latest interval (rate), and the price that the mark is compared with (reference). */
  readonly primeorders_getMarkets: {
    readonly parameters: undefined;
    readonly result: readonly {
      /** Number of the market. */
      readonly market_id: number;
      /** Name of the market, BASE/QUOTE. */
      readonly symbol: string;
      /** Least step of prices, wei of the quote per base unit. */
      readonly tick_size: RpcQuantity;
      /** Least step of sizes, base units. */
      readonly lot_size: RpcQuantity;
      /** Decimals of the base: a whole unit is 10^base_decimals base units. A size s reads as s / 10^base_decimals, a price p as p · 10^(base_decimals − quote_decimals). */
      readonly base_decimals: number;
      /** Decimals of the quote: a whole unit is 10^quote_decimals wei. */
      readonly quote_decimals: number;
      /** Whether the market takes orders. */
      readonly status: string;
      /** Price of the latest trade, wei per base unit; null before the first. */
      readonly last_price: RpcQuantity | null;
      /** Price that margin is judged by, wei per base unit; null before there is one. */
      readonly mark_price: RpcQuantity | null;
      /** Margin that a new position needs, hundredths of a percent of its notional. */
      readonly initial_margin_bps: number;
      /** Margin below which a position is liquidated, hundredths of a percent of its notional. */
      readonly maintenance_margin_bps: number;
      /** Fees of the market; left out where it has none. */
      readonly fees?: {
        /** Fee of the taker, millionths of the notional. */
        readonly taker_ppm: number;
        /** Fee of the maker, millionths of the notional; negative is a rebate. */
        readonly maker_ppm: number;
      } | undefined;
      /** Margin of large positions by notional; left out where there are no tiers. */
      readonly risk_tiers?: readonly {
        /** Notional from which on the tier holds, wei. */
        readonly above_notional: RpcQuantity;
        /** Margin that a new position needs, hundredths of a percent of its notional. */
        readonly initial_margin_bps: number;
        /** Margin below which a position is liquidated, hundredths of a percent of its notional. */
        readonly maintenance_margin_bps: number;
      }[] | undefined;
      /** What orders of the market may at most lead to; left out where nothing is bounded, and 0 is no bound. */
      readonly limits?: {
        /** Base units that all longs may hold together. */
        readonly open_interest_max: RpcQuantity;
        /** Base units that an account may hold on one side, open orders of that side included. */
        readonly position_max: RpcQuantity;
        /** How far the limit of a buy may be above the mark, and that of a sell below it, hundredths of a percent. */
        readonly price_band_bps: number;
        /** Most price times size of an order, wei. */
        readonly order_notional_max: RpcQuantity;
      } | undefined;
      /** Funding of the market; left out where it has none. */
      readonly funding?: {
        /** What a long has paid since the market began, 10^-9 wei per base unit. */
        readonly index: RpcSignedQuantity;
        /** What a long paid in the latest interval, 10^-9 wei per base unit; negative where it was paid. */
        readonly rate: RpcSignedQuantity;
        /** Slow average of the mark, with which it is compared, 10^-9 wei per base unit; null before there is one. */
        readonly reference: RpcQuantity | null;
      } | undefined;
      /** Price from outside; left out where the market has none. */
      readonly oracle?: {
        /** Median of what validators report, wei per base unit; null before the first. */
        readonly index_price: RpcQuantity | null;
        /** By how much the book trades above the index on average, wei per base unit; negative is below. */
        readonly premium: RpcSignedQuantity;
        /** Since when there is no fresh index, block time in ms: only orders that reduce a position are taken; null while it is fresh. */
        readonly stale_since_ms: RpcQuantity | null;
        /** Until when only post-only orders are taken, block time in ms; null: all are. */
        readonly resumes_at_ms: RpcQuantity | null;
      } | undefined;
    }[];
  };
  /** The middle between best bid and best ask of every market, by id, in one answer: wei per base unit, rounded down, and null while a side of the book is empty. */
  readonly primeorders_getMids: {
    readonly parameters: undefined;
    readonly result: readonly RpcMarketMid[];
  };
  /** What each market does, by id, or one of them: last, mark and index price, since when the index is stale, the fair price (index with its premium), best bid and ask, base units that longs hold (open_interest), and under `day` the trades of the last 24 hours, counted in candles of five minutes: the one that still grows and the 287 before it. `since_ms` says where they begin, later on a node that has less of the past. Without trades prices and changes are null, and so are index and fair price without an oracle. change_bps is cut towards zero. Funding, where the network has it: rate of the latest interval as in primeorders_getMarkets, and when the one that runs now ends. */
  readonly primeorders_getTickers: {
    readonly parameters: [marketId?: Hex | number | null];
    readonly result: readonly RpcTicker[];
  };
  /** Trades, mark and index of a market by time, oldest first. Of trades: open, high, low and close price, base units and wei that were traded, number of trades. `mark` and `index` have open, high, low and close; they begin with what the price was before. Intervals are 1s, 1m, 5m, 15m, 1h, 4h and 1d, in UTC by block time; one in which nothing was traded and no price moved is left out. `range` is {from_time_ms, to_time_ms, limit}, each optional: the newest `limit` intervals (default 500, at most 1000) from the one that holds from_time_ms to the one that holds to_time_ms, by default that of the newest block, whose last candle still grows. They are kept as long as the blocks of their time: an earlier from_time_ms is refused. */
  readonly primeorders_getCandles: {
    readonly parameters: [marketId: Hex | number, interval: '1s' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d', range?: {
      /** The candle that holds this time is the first, ms since 1970. */
      readonly from_time_ms?: Hex | number | null | undefined;
      /** The candle that holds this time is the last, ms since 1970; the newest block’s where it is left out. */
      readonly to_time_ms?: Hex | number | null | undefined;
      /** The newest so many intervals, also those counted that have no candle. */
      readonly limit?: Hex | number | null | undefined;
    } | null];
    readonly result: readonly RpcCandle[];
  };
  /** Collateral, margin and positions of an account, at the mark prices of the block to come. On networks with funding also what is not settled yet, which is in the equity; of a sub-account also whose it is. */
  readonly primeorders_getAccount: {
    readonly parameters: [address: Hex];
    readonly result: {
      /** Account or contract that is asked about. */
      readonly address: RpcAddress;
      /** Collateral of the account, wei; negative is a debt. */
      readonly collateral: RpcSignedQuantity;
      /** Collateral and unrealized profit, wei. */
      readonly equity: RpcSignedQuantity;
      /** Margin that positions and open orders need, wei. */
      readonly initial_margin: RpcQuantity;
      /** Margin below which the account is liquidated, wei. */
      readonly maintenance_margin: RpcQuantity;
      /** Equity above the initial margin, wei. */
      readonly free_collateral: RpcSignedQuantity;
      /** What can be withdrawn now, wei. */
      readonly withdrawable: RpcQuantity;
      /** Whether the account can be liquidated now. */
      readonly liquidatable: boolean;
      /** Whether unsigned actions are refused: the account has signed one before. */
      readonly locked: boolean;
      /** Positions by market. */
      readonly positions: readonly {
        /** Number of the market. */
        readonly market_id: number;
        /** Size of the position, base units; negative is short. */
        readonly size: RpcSignedQuantity;
        /** What the position was opened for, wei. */
        readonly entry: RpcQuantity;
        /** Profit of the position at the mark, wei; negative is a loss. */
        readonly unrealized: RpcSignedQuantity | null;
        /** Funding that the position owes or gets, wei. */
        readonly unsettled_funding?: RpcSignedQuantity | undefined;
      }[];
      /** Number of its open orders. */
      readonly open_orders: RpcQuantity;
      /** Block time at which all orders of the account end, ms; left out where none is set. */
      readonly scheduled_cancel_ms?: RpcQuantity | undefined;
      /** Funding that the position owes or gets, wei. */
      readonly unsettled_funding?: RpcSignedQuantity | undefined;
      /** Whose sub-account it is; left out where the account has a key of its own. */
      readonly sub_account?: {
        /** Account that signs for it. */
        readonly owner: RpcAddress;
        /** Number among the sub-accounts of the owner, from 1. */
        readonly index: number;
      } | undefined;
    };
  };
  /** The keys that may sign actions for an account, and those that it revoked, which can never be approved again; by address. expires_at is block time in ms, 0x0 is never. */
  readonly primeorders_getAgents: {
    readonly parameters: [address: Hex];
    readonly result: readonly {
      /** Key that may act for the account. */
      readonly agent: RpcAddress;
      /** Name that the account gave it. */
      readonly name: string;
      /** What the agent may do. */
      readonly permissions: readonly ('trade' | 'cancel' | 'liquidate' | 'sub_accounts')[];
      /** Block time up to which it may sign, ms since 1970; 0 is for ever. */
      readonly expires_at: RpcQuantity;
      /** Whether the agent may act now. */
      readonly status: 'live' | 'expired' | 'revoked';
    }[];
  };
  /** The sub-accounts that an owner made, by index; none of an account that made none. Each is an account of its own at its address: primeorders_getAccount tells what it holds. */
  readonly primeorders_getSubAccounts: {
    readonly parameters: [owner: Hex];
    readonly result: readonly {
      /** Account of the sub-account. */
      readonly address: RpcAddress;
      /** Number among the sub-accounts of the owner, from 1. */
      readonly index: number;
    }[];
  };
  /** The accounts that owe more than they have, at the mark prices of the block to come, those who owe most first; at most 1000. Markets whose price is not fit to liquidate anybody do not count. None of it keeps others from withdrawing. */
  readonly primeorders_getInsolvent: {
    readonly parameters: undefined;
    readonly result: readonly {
      /** Account or contract that is asked about. */
      readonly address: RpcAddress;
      /** Collateral and unrealized profit, wei. */
      readonly equity: RpcSignedQuantity;
      /** Collateral of the account, wei; negative is a debt. */
      readonly collateral: RpcSignedQuantity;
    }[];
  };
  /** What each market owes because nobody paid a loss, and what it has to pay profits with, by market; only markets with one of them. The insurance fund repays debts first with all that it gets. */
  readonly primeorders_getMarketDebts: {
    readonly parameters: undefined;
    readonly result: readonly {
      /** Number of the market. */
      readonly market_id: number;
      /** What the market owes because nobody paid a loss, wei. */
      readonly debt: RpcQuantity;
      /** What the market has to pay profits with, wei. */
      readonly profit_pool: RpcQuantity;
    }[];
  };
  /** An order by its id, or by its owner and client id (of several the live one, else the latest): where it stands, or how it ended. null for one that never was. A node that deletes old blocks, or began with a snapshot, refuses an order that it does not know with 4444, and says in `oldest` since which block it has the ends of orders. */
  readonly primeorders_getOrder: {
    readonly parameters: [order: Hex | {
      /** Account of the order. */
      readonly owner: Hex;
      /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
      readonly client_id: Hex;
    }];
    readonly result: {
      /** Number of the order. */
      readonly order_id: RpcQuantity;
      /** Number of the market. */
      readonly market_id: number;
      /** Account of the order. */
      readonly owner: RpcAddress;
      /** buy or sell; of a trade the taker’s side. */
      readonly side: string;
      /** Price, wei of the quote per base unit. */
      readonly price: RpcQuantity;
      /** What it was made for, base units; of an order that rests or rested, less what was taken off it since. */
      readonly size: RpcQuantity;
      /** Time in force: gtc rests, ioc does not, fok trades whole or not at all. */
      readonly tif: string;
      /** Part of the size that rests, or that was not filled when it ended, base units. */
      readonly remaining: RpcQuantity;
      /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
      readonly client_id: RpcData | null;
      /** Last second in which the order rests, seconds since 1970; 0 is never. */
      readonly expires_at: RpcQuantity;
      /** Part of the size that traded, base units. */
      readonly filled: RpcQuantity;
      /** open or partially_filled while it rests, then filled, cancelled, or killed (a fok that found too little). */
      readonly status: string;
      /** Height of the block that took it in. */
      readonly created_block: RpcQuantity;
      /** Trades only as far as it makes the position smaller. */
      readonly reduce_only?: boolean | undefined;
      /** stop or take_profit of a trigger; other orders have none. */
      readonly kind?: string | undefined;
      /** Mark at which the order fires, wei of the quote per base unit. */
      readonly trigger_price?: RpcQuantity | undefined;
      /** Closes the whole position, whatever it is when the order fires. */
      readonly position?: boolean | undefined;
      /** Of the orders of an account that wait with the same number one fires; 0 is no group. */
      readonly group?: number | undefined;
      /** Its condition held, and it fires when its turn comes. */
      readonly due?: boolean | undefined;
      /** Order whose fills the trigger closes; absent where it stands for itself. */
      readonly parent_order_id?: RpcQuantity | undefined;
      /** The order that it is attached to filled nothing yet, so it waits for no mark. */
      readonly asleep?: boolean | undefined;
      /** Part of the size that self-trade prevention took off, base units: filled + remaining + decremented is the size. */
      readonly decremented?: RpcQuantity | undefined;
      /** Why the order ended before it was filled; null where it was filled, left out while it rests. */
      readonly reason?: string | null | undefined;
      /** Height of the block in which it ended; left out while it rests. */
      readonly closed_block?: RpcQuantity | undefined;
    } | null;
  };
  /** The latest trades of a market, newest first, at most 1000; older ones are found with prime_getDomainEvents. */
  readonly primeorders_getTrades: {
    readonly parameters: [marketId: Hex | number, limit?: Hex | number | null];
    readonly result: readonly {
      /** Number of the trade. */
      readonly trade_id: RpcQuantity;
      /** Price, wei of the quote per base unit. */
      readonly price: RpcQuantity;
      /** Size, base units. */
      readonly size: RpcQuantity;
      /** Order that rested. */
      readonly maker_order_id: RpcQuantity;
      /** Order that came to it. */
      readonly taker_order_id: RpcQuantity;
      /** Account whose order rested. */
      readonly maker: RpcAddress;
      /** Account whose order came to it. */
      readonly taker: RpcAddress;
      /** buy or sell; of a trade the taker’s side. */
      readonly side: string;
      /** Fee of the trade or liquidation, wei. */
      readonly fee: RpcSignedQuantity;
      /** Height of the block. */
      readonly block_number: RpcQuantity;
      /** Time of the block, ms since 1970. */
      readonly time_ms: RpcQuantity;
    }[];
  };
  /** What changed positions of an account, the last first: its side of each trade, and deleveraging, which is no trade and has neither price, fee nor trade id. `kind` is trade, liquidation (a trade whose taker was a position in liquidation, whoever’s it was) or deleveraging. `page` is {from_time_ms, to_time_ms, market_id, limit, cursor}, each optional; `limit` is 100 by default and at most 1000. The cursor `next` stays right while blocks come and old ones are deleted; a page may be short, or empty, and have a next one. The node cannot tell of what was before `oldest_block`: one that keeps recent blocks, or began with a snapshot. */
  readonly primeorders_getFills: {
    readonly parameters: [address: Hex, page?: {
      /** Earliest block time, included, ms since 1970; the oldest that is kept where it is left out. */
      readonly from_time_ms?: Hex | number | null | undefined;
      /** Latest block time, included, ms since 1970; that of the newest block where it is left out. */
      readonly to_time_ms?: Hex | number | null | undefined;
      /** Market whose entries are wanted; all where it is left out. */
      readonly market_id?: Hex | number | null | undefined;
      /** Most entries that are answered. */
      readonly limit?: Hex | number | null | undefined;
      /** The `next` of the page before; the newest page where it is left out. */
      readonly cursor?: Hex | null | undefined;
    } | null];
    readonly result: RpcAccountFills;
  };
  /** Orders of an account that ended, the last first by when they did: filled, cancelled or killed, each as primeorders_getOrder shows it, with `time_ms` of the block in which it ended. `page` is {from_time_ms, to_time_ms, market_id, limit, cursor}, each optional; `limit` is 100 by default and at most 1000. The cursor `next` stays right while blocks come and old ones are deleted; a page may be short, or empty, and have a next one. The node cannot tell of what was before `oldest_block`: one that keeps recent blocks, or began with a snapshot. */
  readonly primeorders_getOrderHistory: {
    readonly parameters: [address: Hex, page?: {
      /** Earliest block time, included, ms since 1970; the oldest that is kept where it is left out. */
      readonly from_time_ms?: Hex | number | null | undefined;
      /** Latest block time, included, ms since 1970; that of the newest block where it is left out. */
      readonly to_time_ms?: Hex | number | null | undefined;
      /** Market whose entries are wanted; all where it is left out. */
      readonly market_id?: Hex | number | null | undefined;
      /** Most entries that are answered. */
      readonly limit?: Hex | number | null | undefined;
      /** The `next` of the page before; the newest page where it is left out. */
      readonly cursor?: Hex | null | undefined;
    } | null];
    readonly result: RpcOrderHistory;
  };
  /** Funding of an account’s positions that was settled into its collateral, the last first. It is settled before a position changes, and before its account withdraws or is liquidated; what is not settled yet is in primeorders_getAccount. `page` is {from_time_ms, to_time_ms, market_id, limit, cursor}, each optional; `limit` is 100 by default and at most 1000. The cursor `next` stays right while blocks come and old ones are deleted; a page may be short, or empty, and have a next one. The node cannot tell of what was before `oldest_block`: one that keeps recent blocks, or began with a snapshot. */
  readonly primeorders_getFunding: {
    readonly parameters: [address: Hex, page?: {
      /** Earliest block time, included, ms since 1970; the oldest that is kept where it is left out. */
      readonly from_time_ms?: Hex | number | null | undefined;
      /** Latest block time, included, ms since 1970; that of the newest block where it is left out. */
      readonly to_time_ms?: Hex | number | null | undefined;
      /** Market whose entries are wanted; all where it is left out. */
      readonly market_id?: Hex | number | null | undefined;
      /** Most entries that are answered. */
      readonly limit?: Hex | number | null | undefined;
      /** The `next` of the page before; the newest page where it is left out. */
      readonly cursor?: Hex | null | undefined;
    } | null];
    readonly result: RpcFundingPayments;
  };
  /** Wei that came to the collateral of an account or left it, the last first, trading aside: `kind` is deposit, withdrawal or transfer (to or from another account), and for transfers of the bridge that name the account queued, completed or failed. `change` is what an entry did to its collateral: 0 for those of the bridge, which the deposit or withdrawal beside them changed. `page` is {from_time_ms, to_time_ms, limit, cursor}, each optional; `limit` is 100 by default and at most 1000. The cursor `next` stays right while blocks come and old ones are deleted; a page may be short, or empty, and have a next one. The node cannot tell of what was before `oldest_block`: one that keeps recent blocks, or began with a snapshot. */
  readonly primeorders_getTransfers: {
    readonly parameters: [address: Hex, page?: {
      /** Earliest block time, included, ms since 1970; the oldest that is kept where it is left out. */
      readonly from_time_ms?: Hex | number | null | undefined;
      /** Latest block time, included, ms since 1970; that of the newest block where it is left out. */
      readonly to_time_ms?: Hex | number | null | undefined;
      /** Most entries that are answered. */
      readonly limit?: Hex | number | null | undefined;
      /** The `next` of the page before; the newest page where it is left out. */
      readonly cursor?: Hex | null | undefined;
    } | null];
    readonly result: RpcCollateralTransfers;
  };
  /** What liquidations, and losses that were settled, did to an account, the last first. `kind` is liquidation (one of its positions was closed: `size` is what it was, its trades are in primeorders_getFills by order_id), deleveraging (a part of its position was closed against that of `counterparty`; order_id is null where the other one was in liquidation), debt_covered (the insurance fund paid `amount` that it owed), bad_debt (nobody paid it) or loss_settled (`amount` of an open loss was realized at the index, because winners were unpaid: the position of `size` goes on as if it was opened for `value`). Fields that a kind has not are null. `page` is {from_time_ms, to_time_ms, market_id, limit, cursor}, each optional; `limit` is 100 by default and at most 1000. The cursor `next` stays right while blocks come and old ones are deleted; a page may be short, or empty, and have a next one. The node cannot tell of what was before `oldest_block`: one that keeps recent blocks, or began with a snapshot. */
  readonly primeorders_getLiquidations: {
    readonly parameters: [address: Hex, page?: {
      /** Earliest block time, included, ms since 1970; the oldest that is kept where it is left out. */
      readonly from_time_ms?: Hex | number | null | undefined;
      /** Latest block time, included, ms since 1970; that of the newest block where it is left out. */
      readonly to_time_ms?: Hex | number | null | undefined;
      /** Market whose entries are wanted; all where it is left out. */
      readonly market_id?: Hex | number | null | undefined;
      /** Most entries that are answered. */
      readonly limit?: Hex | number | null | undefined;
      /** The `next` of the page before; the newest page where it is left out. */
      readonly cursor?: Hex | null | undefined;
    } | null];
    readonly result: RpcAccountLiquidations;
  };
  /** Cancels the open orders of an account, of one market or (without it) of all, and returns their ids. */
  readonly primeorders_cancelAll: {
    readonly parameters: [address: Hex, marketId?: Hex | number | null, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Orders that were cancelled. */
      readonly cancelled_orders: readonly RpcQuantity[];
      /** Height of the block. */
      readonly block_number: RpcQuantity;
    };
  };
  /** Has all open orders of an account end at the first block with that time or a later one, before the actions of the block. The time is in milliseconds, and at least 5 seconds ahead of block time. It takes the place of an earlier one; 0 takes that back. */
  readonly primeorders_scheduleCancel: {
    readonly parameters: [address: Hex, atMs: Hex | number, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Block time at which the orders end, ms; null where none is set any more. */
      readonly at_ms: RpcQuantity | null;
      /** Height of the block. */
      readonly block_number: RpcQuantity;
    };
  };
  /** Places an order that waits until the mark of its market is at `trigger_price`: a `stop` that buys fires at that price or above, one that sells at it or below, and a `take_profit` the other way round. It fires in the block behind the one whose mark is there, and holds no margin until then. Without `limit_price` it is a market order. */
  readonly primeorders_placeTrigger: {
    readonly parameters: [trigger: {
      /** Account of the order. */
      readonly owner: Hex;
      /** Number of the market. */
      readonly market_id: Hex | number;
      /** buy or sell; of a trade the taker’s side. */
      readonly side: 'buy' | 'sell';
      /** stop fires when the mark goes against a position that the side closes, take_profit when it goes in its favour. */
      readonly kind: 'stop' | 'take_profit';
      /** Mark at which the order fires, wei of the quote per base unit. */
      readonly trigger_price: Hex;
      /** Limit of the order when it fires, wei of the quote per base unit; left out or 0x0 for a market order. */
      readonly limit_price?: Hex | undefined;
      /** Size, base units. */
      readonly size?: Hex | undefined;
      /** Time in force: gtc rests, ioc does not, fok trades whole or not at all. */
      readonly tif?: 'gtc' | 'ioc' | undefined;
      /** Trades only as far as it makes the position smaller. */
      readonly reduce_only?: boolean | undefined;
      /** Closes the whole position, whatever it is when the order fires. */
      readonly position?: boolean | undefined;
      /** What happens when the order meets one of its own account; the network’s rule where it is left out. */
      readonly stp?: 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'decrement' | undefined;
      /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
      readonly client_id?: Hex | undefined;
      /** Last second in which the order rests, seconds since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Of the orders of an account that wait with the same number one fires; 0 is no group. */
      readonly group?: Hex | number | undefined;
    }, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Number of the order. */
      readonly order_id: RpcQuantity;
      /** Number of the market. */
      readonly market_id: number;
      /** Height of the block. */
      readonly block_number: RpcQuantity;
      /** Hash of the transaction. */
      readonly hash: RpcHash;
    };
  };
  /** Up to 100 orders, triggers, cancels and changes of one account in one action. Each has its own result; a refused one does not stop the others. A batch of only cancels runs before the orders of its block, and a cancel_by_client_id in it takes out an order of that block, too; in any other batch the items run one after the other. */
  readonly primeorders_batch: {
    readonly parameters: [address: Hex, items: readonly ({
      /** Kind of the action. */
      readonly type: 'order';
      /** Number of the market. */
      readonly market_id: Hex | number;
      /** buy or sell; of a trade the taker’s side. */
      readonly side: 'buy' | 'sell';
      /** Price, wei of the quote per base unit. */
      readonly price: Hex;
      /** Size, base units. */
      readonly size: Hex;
      /** Time in force: gtc rests, ioc does not, fok trades whole or not at all. */
      readonly tif: 'gtc' | 'ioc' | 'fok';
      /** Refuses the order where it would trade at once. */
      readonly post_only?: boolean | undefined;
      /** Trades only as far as it makes the position smaller. */
      readonly reduce_only?: boolean | undefined;
      /** What happens when the order meets one of its own account; the network’s rule where it is left out. */
      readonly stp?: 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'decrement' | undefined;
      /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
      readonly client_id?: Hex | undefined;
      /** Last second in which the order rests, seconds since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Closes what the order filled, by a trigger of the other side, when the mark goes against it. It sleeps until the first fill. */
      readonly stop?: {
        /** Mark at which the order fires, wei of the quote per base unit. */
        readonly trigger_price: Hex;
        /** Limit of the order when it fires, wei of the quote per base unit; left out or 0x0 for a market order. */
        readonly limit_price?: Hex | undefined;
      } | undefined;
      /** The same when the mark goes in its favour. When one of both fires, the other and what is left of the order end. */
      readonly take_profit?: {
        /** Mark at which the order fires, wei of the quote per base unit. */
        readonly trigger_price: Hex;
        /** Limit of the order when it fires, wei of the quote per base unit; left out or 0x0 for a market order. */
        readonly limit_price?: Hex | undefined;
      } | undefined;
    } | {
      /** Kind of the action. */
      readonly type: 'trigger';
      /** Number of the market. */
      readonly market_id: Hex | number;
      /** buy or sell; of a trade the taker’s side. */
      readonly side: 'buy' | 'sell';
      /** Kind of subscription. */
      readonly kind: 'stop' | 'take_profit';
      /** Mark at which the order fires, wei of the quote per base unit. */
      readonly trigger_price: Hex;
      /** Limit of the order when it fires, wei of the quote per base unit; left out or 0x0 for a market order. */
      readonly limit_price?: Hex | undefined;
      /** Size, base units. */
      readonly size?: Hex | undefined;
      /** Time in force: gtc rests, ioc does not, fok trades whole or not at all. */
      readonly tif?: 'gtc' | 'ioc' | undefined;
      /** Trades only as far as it makes the position smaller. */
      readonly reduce_only?: boolean | undefined;
      /** Closes the whole position, whatever it is when the order fires. */
      readonly position?: boolean | undefined;
      /** What happens when the order meets one of its own account; the network’s rule where it is left out. */
      readonly stp?: 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'decrement' | undefined;
      /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
      readonly client_id?: Hex | undefined;
      /** Last second in which the order rests, seconds since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Of the orders of an account that wait with the same number one fires; 0 is no group. */
      readonly group?: Hex | number | undefined;
    } | {
      /** Kind of the action. */
      readonly type: 'cancel';
      /** Number of the order. */
      readonly order_id: Hex;
    } | {
      /** Kind of the action. */
      readonly type: 'cancel_by_client_id';
      /** Number of the market. */
      readonly market_id: Hex | number;
      /** Id that the owner gave the order: one of its open orders at most has it, and after a trade no new order for orderMemoryBlocks blocks. */
      readonly client_id: Hex;
    } | {
      /** Kind of the action. */
      readonly type: 'cancel_all';
      /** Number of the market. */
      readonly market_id?: Hex | number | null | undefined;
    } | {
      /** Kind of the action. */
      readonly type: 'modify';
      /** Number of the order. */
      readonly order_id: Hex;
      /** Price, wei of the quote per base unit. */
      readonly price: Hex;
      /** Size, base units. */
      readonly size: Hex;
    })[], authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** What became of each action, in order. */
      readonly results: readonly { readonly [key: string]: unknown }[];
      /** Height of the block. */
      readonly block_number: RpcQuantity;
      /** Hash of the action. */
      readonly hash: RpcHash;
    };
  };
  /** Takes collateral of `from` out of the order book and queues it for the EVM account `to`; the dequeue method carries it out. */
  readonly primebridge_enqueueOrdersToEvm: {
    readonly parameters: [transfer: {
      /** Account that pays. */
      readonly from: Hex;
      /** Account that gets it. */
      readonly to: Hex;
      /** Amount, wei. */
      readonly amount: Hex;
    }, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Number of the transfer. */
      readonly transfer_id: RpcQuantity;
      /** Account that pays. */
      readonly from: RpcAddress;
      /** Account that gets it. */
      readonly to: RpcAddress;
      /** Amount, wei. */
      readonly amount: RpcQuantity;
      /** From which domain to which: evm_to_orders or orders_to_evm. */
      readonly direction: 'orders_to_evm' | 'evm_to_orders';
      /** queued until it is carried out. */
      readonly status: 'queued';
      /** Height of the block. */
      readonly block_number: RpcQuantity;
    };
  };
  /** Carries out queued transfers to EVM balances, first in, first out, at most 1000; answers which, and how many still wait. */
  readonly primebridge_dequeueOrdersToEvm: {
    readonly parameters: [authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Transfers that were carried out, in order. */
      readonly processed: readonly {
        /** Number of the transfer. */
        readonly transfer_id: RpcQuantity;
        /** Account that pays. */
        readonly from: RpcAddress;
        /** Account that gets it. */
        readonly to: RpcAddress;
        /** Amount, wei. */
        readonly amount: RpcQuantity;
        /** completed or failed. */
        readonly status: 'completed' | 'failed';
        /** Why it was refused or ended; null where it was not. */
        readonly reason: string | null;
      }[];
      /** Transfers that still wait. */
      readonly pending: RpcQuantity;
      /** Height of the block. */
      readonly block_number: RpcQuantity;
    };
  };
  /** Takes wei from the EVM balance of `from` and queues them as collateral of `to`; the dequeue method carries it out. */
  readonly primebridge_enqueueEvmToOrders: {
    readonly parameters: [transfer: {
      /** Account that pays. */
      readonly from: Hex;
      /** Account that gets it. */
      readonly to: Hex;
      /** Amount, wei. */
      readonly amount: Hex;
    }, authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Number of the transfer. */
      readonly transfer_id: RpcQuantity;
      /** Account that pays. */
      readonly from: RpcAddress;
      /** Account that gets it. */
      readonly to: RpcAddress;
      /** Amount, wei. */
      readonly amount: RpcQuantity;
      /** From which domain to which: evm_to_orders or orders_to_evm. */
      readonly direction: 'orders_to_evm' | 'evm_to_orders';
      /** queued until it is carried out. */
      readonly status: 'queued';
      /** Height of the block. */
      readonly block_number: RpcQuantity;
    };
  };
  /** Carries out queued transfers to collateral, first in, first out, at most 1000; answers which, and how many still wait. */
  readonly primebridge_dequeueEvmToOrders: {
    readonly parameters: [authorization?: {
      /** Number that the signer uses once: its time in ms since 1970, less than two days before and one day behind that of the newest block. */
      readonly nonce: Hex | number;
      /** EIP-712 signature of the action, 65 bytes. */
      readonly signature: Hex;
      /** Time after which no block may take the action, ms since 1970; 0 is never. */
      readonly expires_at?: Hex | number | undefined;
      /** Account for which an agent signs; the signer’s own where it is left out. */
      readonly account?: Hex | undefined;
    } | null];
    readonly result: {
      /** Transfers that were carried out, in order. */
      readonly processed: readonly {
        /** Number of the transfer. */
        readonly transfer_id: RpcQuantity;
        /** Account that pays. */
        readonly from: RpcAddress;
        /** Account that gets it. */
        readonly to: RpcAddress;
        /** Amount, wei. */
        readonly amount: RpcQuantity;
        /** completed or failed. */
        readonly status: 'completed' | 'failed';
        /** Why it was refused or ended; null where it was not. */
        readonly reason: string | null;
      }[];
      /** Transfers that still wait. */
      readonly pending: RpcQuantity;
      /** Height of the block. */
      readonly block_number: RpcQuantity;
    };
  };
  /** This interface as an OpenRPC document: every method with its parameters, result, errors and examples. */
  readonly 'rpc.discover': {
    readonly parameters: undefined;
    readonly result: RpcOpenRPC;
  };
}

/** Name of a method. */
export type RpcMethodName = keyof RpcMethods;
/** Positional parameters of a method as they go over the wire: hex quantities, snake_case keys. */
export type RpcParameters<method extends RpcMethodName> = RpcMethods[method]['parameters'];
/** Result of a method as it comes over the wire: hex quantities, snake_case keys. */
export type RpcResult<method extends RpcMethodName> = RpcMethods[method]['result'];

interface Row<method extends RpcMethodName> {
  readonly Method: method;
  readonly Parameters: RpcParameters<method>;
  readonly ReturnType: RpcResult<method>;
}

/**
 * Every method for viem's `rpcSchema`: `createPublicClient({ rpcSchema: rpcSchema<PrimeRpcSchema>(), … })` types `client.request`.
 */
export type PrimeRpcSchema = [
  Row<'eth_chainId'>,
  Row<'eth_blockNumber'>,
  Row<'eth_gasPrice'>,
  Row<'eth_maxPriorityFeePerGas'>,
  Row<'eth_feeHistory'>,
  Row<'eth_accounts'>,
  Row<'eth_syncing'>,
  Row<'eth_mining'>,
  Row<'eth_protocolVersion'>,
  Row<'eth_getBalance'>,
  Row<'eth_getTransactionCount'>,
  Row<'eth_getCode'>,
  Row<'eth_getStorageAt'>,
  Row<'eth_getProof'>,
  Row<'eth_call'>,
  Row<'eth_estimateGas'>,
  Row<'eth_createAccessList'>,
  Row<'eth_simulateV1'>,
  Row<'eth_getBlockByNumber'>,
  Row<'eth_getBlockByHash'>,
  Row<'eth_getBlockReceipts'>,
  Row<'eth_getBlockTransactionCountByNumber'>,
  Row<'eth_getBlockTransactionCountByHash'>,
  Row<'eth_getTransactionByHash'>,
  Row<'eth_getTransactionByBlockNumberAndIndex'>,
  Row<'eth_getTransactionByBlockHashAndIndex'>,
  Row<'eth_getTransactionReceipt'>,
  Row<'eth_getLogs'>,
  Row<'eth_newFilter'>,
  Row<'eth_newBlockFilter'>,
  Row<'eth_newPendingTransactionFilter'>,
  Row<'eth_getFilterChanges'>,
  Row<'eth_getFilterLogs'>,
  Row<'eth_uninstallFilter'>,
  Row<'eth_subscribe'>,
  Row<'eth_unsubscribe'>,
  Row<'eth_sendRawTransaction'>,
  Row<'eth_sendRawTransactionSync'>,
  Row<'eth_sendTransaction'>,
  Row<'eth_signTransaction'>,
  Row<'eth_signTypedData_v4'>,
  Row<'eth_signTypedData'>,
  Row<'eth_sign'>,
  Row<'eth_fillTransaction'>,
  Row<'eth_blobBaseFee'>,
  Row<'eth_getUncleCountByBlockNumber'>,
  Row<'eth_getUncleCountByBlockHash'>,
  Row<'eth_getUncleByBlockNumberAndIndex'>,
  Row<'eth_getUncleByBlockHashAndIndex'>,
  Row<'net_version'>,
  Row<'net_peerCount'>,
  Row<'net_listening'>,
  Row<'web3_clientVersion'>,
  Row<'web3_sha3'>,
  Row<'txpool_status'>,
  Row<'txpool_content'>,
  Row<'txpool_contentFrom'>,
  Row<'txpool_inspect'>,
  Row<'debug_traceTransaction'>,
  Row<'debug_traceBlockByNumber'>,
  Row<'debug_traceBlockByHash'>,
  Row<'debug_traceCall'>,
  Row<'prime_chainId'>,
  Row<'prime_blockNumber'>,
  Row<'prime_getBalance'>,
  Row<'prime_gasPrice'>,
  Row<'prime_getCode'>,
  Row<'prime_getStorageAt'>,
  Row<'prime_getTransactionCount'>,
  Row<'prime_call'>,
  Row<'prime_getBlockByNumber'>,
  Row<'prime_getTransactionReceipt'>,
  Row<'prime_getTransactionByHash'>,
  Row<'prime_sendTransaction'>,
  Row<'prime_getLogs'>,
  Row<'prime_subscribe'>,
  Row<'prime_unsubscribe'>,
  Row<'prime_validators'>,
  Row<'prime_registeredValidators'>,
  Row<'prime_getDomainEvents'>,
  Row<'prime_getCommit'>,
  Row<'prime_getCommits'>,
  Row<'prime_getAccountTransactions'>,
  Row<'prime_consensusStatus'>,
  Row<'prime_network'>,
  Row<'prime_getBlockActions'>,
  Row<'prime_getGenesis'>,
  Row<'prime_getParameters'>,
  Row<'prime_getProposals'>,
  Row<'primeorders_addMarket'>,
  Row<'primeorders_depositCollateral'>,
  Row<'primeorders_setMarginParams'>,
  Row<'primeorders_submitOrder'>,
  Row<'primeorders_getOrderBook'>,
  Row<'primeorders_getOpenOrders'>,
  Row<'primeorders_getProof'>,
  Row<'primeorders_cancelOrder'>,
  Row<'primeorders_isLiquidatable'>,
  Row<'primeorders_liquidate'>,
  Row<'primeorders_getMarkets'>,
  Row<'primeorders_getMids'>,
  Row<'primeorders_getTickers'>,
  Row<'primeorders_getCandles'>,
  Row<'primeorders_getAccount'>,
  Row<'primeorders_getAgents'>,
  Row<'primeorders_getSubAccounts'>,
  Row<'primeorders_getInsolvent'>,
  Row<'primeorders_getMarketDebts'>,
  Row<'primeorders_getOrder'>,
  Row<'primeorders_getTrades'>,
  Row<'primeorders_getFills'>,
  Row<'primeorders_getOrderHistory'>,
  Row<'primeorders_getFunding'>,
  Row<'primeorders_getTransfers'>,
  Row<'primeorders_getLiquidations'>,
  Row<'primeorders_cancelAll'>,
  Row<'primeorders_scheduleCancel'>,
  Row<'primeorders_placeTrigger'>,
  Row<'primeorders_batch'>,
  Row<'primebridge_enqueueOrdersToEvm'>,
  Row<'primebridge_dequeueOrdersToEvm'>,
  Row<'primebridge_enqueueEvmToOrders'>,
  Row<'primebridge_dequeueEvmToOrders'>,
  Row<'rpc.discover'>,
];
