import type { OrderRequest, TriggerRequest } from './order.ts';
import type { ParameterChange, ProposedChange } from './parameters.ts';
import type {
  Address,
  AgentPermission,
  Hash,
  Hex,
  MarketReference,
  Price,
  Size,
  TransferDirection,
  Wei,
} from './primitives.ts';
import type {
  AddedMarket,
  BatchResult,
  CancelledOrder,
  CancelledOrders,
  CollateralTransfer,
  CreatedSubAccount,
  DequeuedTransfers,
  Deposit,
  Done,
  Liquidation,
  MarginSet,
  PlacedOrder,
  QueuedTransfer,
} from './results.ts';

/** What may stand in a batch. */
export type BatchItem =
  | ({ readonly type: 'order' } & OrderRequest)
  | ({ readonly type: 'trigger' } & TriggerRequest)
  | { readonly type: 'cancel'; readonly orderId: number }
  | { readonly type: 'cancelByClientId'; readonly market: MarketReference; readonly clientId: Hex }
  /** Without a market: in all of them. */
  | { readonly type: 'cancelAll'; readonly market?: MarketReference | undefined }
  /** `size` is what is to be open afterwards. */
  | { readonly type: 'modify'; readonly orderId: number; readonly price: Price; readonly size: Size };

/** The signing key of a validator and the proof that whoever registers it has it. */
export interface SignerClaim {
  /** Compressed, 33 bytes. */
  readonly signerKey: Hex;
  /** 65 bytes r, s and yParity. */
  readonly signerProof: Hex;
}

/** Where a validator's node listens. */
export interface ValidatorEndpoint {
  readonly host: string;
  readonly port: number;
  /** SHA-256 of the public key of the node's TLS certificate. */
  readonly tlsKeyHash: Hex;
}

/** Every change of state that is no EVM transaction. */
export type Action =
  | BatchItem
  /** 1 to 100 items. */
  | { readonly type: 'batch'; readonly items: readonly BatchItem[] }
  | { readonly type: 'deposit'; readonly amount: Wei }
  | { readonly type: 'withdraw'; readonly amount: Wei; readonly to: Address }
  | { readonly type: 'transfer'; readonly amount: Wei; readonly to: Address }
  | { readonly type: 'enqueueEvmToOrders'; readonly amount: Wei; readonly to: Address }
  | { readonly type: 'bridgeDequeue'; readonly direction: TransferDirection; readonly max: number }
  | { readonly type: 'liquidate'; readonly address: Address }
  | {
      readonly type: 'addMarket';
      /** BASE/QUOTE. */
      readonly symbol: string;
      readonly tickSize: Price;
      readonly lotSize: Size;
      /** Default 0: a base unit is a whole one. */
      readonly baseDecimals?: number | undefined;
      /** Default 18. */
      readonly quoteDecimals?: number | undefined;
    }
  | {
      readonly type: 'setMargin';
      /** Without: the default of all markets that have none of their own. */
      readonly market?: MarketReference | undefined;
      readonly initialMarginBps: number;
      readonly maintenanceMarginBps: number;
    }
  | {
      readonly type: 'approveAgent';
      readonly agent: Address;
      readonly permissions: readonly AgentPermission[];
      /** Block time until which it may sign, ms. Default 0: for ever. */
      readonly validUntilMs?: number | undefined;
      /** At most 64 bytes. Default empty. */
      readonly name?: string | undefined;
    }
  /** Block time at which all orders of the account end, ms; 0 takes an earlier one back. */
  | { readonly type: 'scheduleCancel'; readonly atMs: number }
  | { readonly type: 'revokeAgent'; readonly agent: Address }
  | { readonly type: 'lockAccount' }
  /** `index` is 1 to 4294967295. */
  | { readonly type: 'createSubAccount'; readonly index: number }
  | { readonly type: 'noop' }
  | ({ readonly type: 'validatorJoin'; readonly stake: Wei; readonly moniker: string } & SignerClaim &
      ValidatorEndpoint)
  | { readonly type: 'validatorLeave' }
  | { readonly type: 'validatorBond'; readonly amount: Wei }
  | { readonly type: 'validatorUnbond'; readonly amount: Wei }
  | ({ readonly type: 'validatorRotateSigner' } & SignerClaim)
  | { readonly type: 'validatorUnjail' }
  | { readonly type: 'validatorJail' }
  | ({ readonly type: 'validatorSetEndpoint' } & ValidatorEndpoint)
  | {
      readonly type: 'validatorSetOracleKey';
      /** Who may sign price reports beside the signer; null is nobody. */
      readonly key: Address | null;
    }
  | {
      readonly type: 'oracleReport';
      /** When the prices were seen, ms. */
      readonly observedAtMs: number;
      /** At most 256, each market once. Wei for one base unit, on no grid. */
      readonly prices: readonly { readonly market: MarketReference; readonly price: Price }[];
    }
  /** By the admin: at once, or at the begin of the block of `atHeight`. */
  | { readonly type: 'change'; readonly change: ParameterChange; readonly atHeight?: number | undefined }
  | ({ readonly type: 'propose' } & ProposedChange)
  /** By the owner of a validator; a later vote takes the place of an earlier one. */
  | { readonly type: 'vote'; readonly proposal: Hash; readonly yes: boolean };

/** Name of an action; its fields and its result follow from it. */
export type ActionType = Action['type'];

interface OwnResults {
  readonly order: PlacedOrder;
  /** As an order that rests. */
  readonly trigger: PlacedOrder;
  /** An order that keeps its id and place answers as one that was placed, like one that was placed anew. */
  readonly modify: PlacedOrder;
  readonly cancel: CancelledOrder;
  readonly cancelByClientId: CancelledOrder;
  readonly cancelAll: CancelledOrders;
  readonly batch: BatchResult;
  readonly deposit: Deposit;
  readonly withdraw: QueuedTransfer;
  readonly enqueueEvmToOrders: QueuedTransfer;
  readonly transfer: CollateralTransfer;
  readonly bridgeDequeue: DequeuedTransfers;
  readonly liquidate: Liquidation;
  readonly addMarket: AddedMarket;
  readonly setMargin: MarginSet;
  readonly createSubAccount: CreatedSubAccount;
}

/** What an action answers when it was carried out. */
export type ActionResult<type extends ActionType = ActionType> = type extends keyof OwnResults
  ? OwnResults[type]
  : Done;
