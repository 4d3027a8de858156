import {
  getAccount,
  type GetAccountParameters,
  type GetAccountReturnType,
} from './actions/public/accounts/getAccount.ts';
import {
  getAccountTransactions,
  type GetAccountTransactionsParameters,
  type GetAccountTransactionsReturnType,
} from './actions/public/accounts/getAccountTransactions.ts';
import { getAgents, type GetAgentsParameters, type GetAgentsReturnType } from './actions/public/accounts/getAgents.ts';
import {
  getBlockActions,
  type GetBlockActionsParameters,
  type GetBlockActionsReturnType,
} from './actions/public/chain/getBlockActions.ts';
import {
  getCandles,
  type GetCandlesParameters,
  type GetCandlesReturnType,
} from './actions/public/markets/getCandles.ts';
import { getCommit, type GetCommitParameters, type GetCommitReturnType } from './actions/public/chain/getCommit.ts';
import { getCommits, type GetCommitsParameters, type GetCommitsReturnType } from './actions/public/chain/getCommits.ts';
import { getConsensusStatus, type GetConsensusStatusReturnType } from './actions/public/network/getConsensusStatus.ts';
import {
  getDomainEvents,
  type GetDomainEventsParameters,
  type GetDomainEventsReturnType,
} from './actions/public/chain/getDomainEvents.ts';
import { getGenesis, type GetGenesisReturnType } from './actions/public/chain/getGenesis.ts';
import { getMarket, type GetMarketParameters, type GetMarketReturnType } from './actions/public/markets/getMarket.ts';
import { getMarkets, type GetMarketsReturnType } from './actions/public/markets/getMarkets.ts';
import {
  getNativeBlock,
  type GetNativeBlockParameters,
  type GetNativeBlockReturnType,
} from './actions/public/chain/getNativeBlock.ts';
import {
  getOpenOrders,
  type GetOpenOrdersParameters,
  type GetOpenOrdersReturnType,
} from './actions/public/accounts/getOpenOrders.ts';
import { getNetwork, type GetNetworkReturnType } from './actions/public/network/getNetwork.ts';
import { getOpenRpc, type GetOpenRpcReturnType } from './actions/public/network/getOpenRpc.ts';
import { getOrder, type GetOrderParameters, type GetOrderReturnType } from './actions/public/markets/getOrder.ts';
import {
  getOrderBook,
  type GetOrderBookParameters,
  type GetOrderBookReturnType,
} from './actions/public/markets/getOrderBook.ts';
import {
  getOrdersProof,
  type GetOrdersProofParameters,
  type GetOrdersProofReturnType,
} from './actions/public/chain/getOrdersProof.ts';
import {
  getRegisteredValidators,
  type GetRegisteredValidatorsReturnType,
} from './actions/public/network/getRegisteredValidators.ts';
import {
  getTickers,
  type GetTickersParameters,
  type GetTickersReturnType,
} from './actions/public/markets/getTickers.ts';
import { getTrades, type GetTradesParameters, type GetTradesReturnType } from './actions/public/markets/getTrades.ts';
import {
  getValidators,
  type GetValidatorsParameters,
  type GetValidatorsReturnType,
} from './actions/public/network/getValidators.ts';
import {
  isLiquidatable,
  type IsLiquidatableParameters,
  type IsLiquidatableReturnType,
} from './actions/public/accounts/isLiquidatable.ts';
import { sendAction, type SendActionParameters, type SendActionReturnType } from './actions/public/sendAction.ts';
import {
  waitForAction,
  type WaitForActionParameters,
  type WaitForActionReturnType,
} from './actions/public/waitForAction.ts';
import type { PrimeClient } from './client.ts';
import type { DomainEventKind } from './streams/domainEvents.ts';
import type { Action, ActionType } from './types/action.ts';

// A type and not an interface: viem's extend wants an index signature, which only types have implicitly.
/** Reads, and what needs no key, as methods of a client; each is a function of the same name, too. */
export type PrimeActions = {
  /** Margin account of an address: collateral, equity, margin and positions, at the mark prices of the block to come. */
  getAccount(parameters: GetAccountParameters): Promise<GetAccountReturnType>;
  /** Transactions and signed actions that concern an account, the last first, page by page. */
  getAccountTransactions(parameters: GetAccountTransactionsParameters): Promise<GetAccountTransactionsReturnType>;
  /** The keys that may sign for an account, and those that it revoked, by address. */
  getAgents(parameters: GetAgentsParameters): Promise<GetAgentsReturnType>;
  /** All actions of a block in their order, with what each answered there; null when there is no such block. */
  getBlockActions(parameters: GetBlockActionsParameters): Promise<GetBlockActionsReturnType>;
  /** Trades of a market by time, oldest first: prices, volumes and counts of each interval that has trades. */
  getCandles(parameters: GetCandlesParameters): Promise<GetCandlesReturnType>;
  /** What proves that a block was decided; null when there is no such block. */
  getCommit(parameters: GetCommitParameters): Promise<GetCommitReturnType>;
  /** How up to 256 blocks were decided, oldest first: proposer, round, who signed, whose turn failed. */
  getCommits(parameters: GetCommitsParameters): Promise<GetCommitsReturnType>;
  /** What the next block waits for and since when, whose turn it is, who voted. */
  getConsensusStatus(): Promise<GetConsensusStatusReturnType>;
  /** What happened in a range of blocks besides logs: order book, bridge and validators, in the order of execution. */
  getDomainEvents<kind extends DomainEventKind = DomainEventKind>(
    parameters: GetDomainEventsParameters<kind>,
  ): Promise<GetDomainEventsReturnType<kind>>;
  /** The genesis that the node runs on, as genesis.json has it. */
  getGenesis(): Promise<GetGenesisReturnType>;
  /** One market by its symbol or id. */
  getMarket(parameters: GetMarketParameters): Promise<GetMarketReturnType>;
  /** All markets by id, with their units, prices and margin; fees, risk tiers and funding where the network has them. */
  getMarkets(): Promise<GetMarketsReturnType>;
  /** A block as the chain itself sees it: orders root, validators, commit, domain events; null when there is none. */
  getNativeBlock(parameters: GetNativeBlockParameters): Promise<GetNativeBlockReturnType>;
  /** What the node knows of the network: rules and upgrades, validators with their newest block, other nodes. */
  getNetwork(): Promise<GetNetworkReturnType>;
  /** The resting orders of an account in all markets, by order id. */
  getOpenOrders(parameters: GetOpenOrdersParameters): Promise<GetOpenOrdersReturnType>;
  /** The interface of the node as an OpenRPC document: every method with parameters, result, errors and examples. */
  getOpenRpc(): Promise<GetOpenRpcReturnType>;
  /** An order wherever it stands, or how it ended; null for one that never was. */
  getOrder(parameters: GetOrderParameters): Promise<GetOrderReturnType>;
  /** Price levels of a market, the best of each side first. */
  getOrderBook(parameters: GetOrderBookParameters): Promise<GetOrderBookReturnType>;
  /** A record of the order book with what proves it, or its absence, under the state root of the newest block. */
  getOrdersProof(parameters: GetOrdersProofParameters): Promise<GetOrdersProofReturnType>;
  /** All validators with stake, in the set or not. */
  getRegisteredValidators(): Promise<GetRegisteredValidatorsReturnType>;
  /** Prices, best bid and ask, open interest and the last 24 hours of markets, by id. */
  getTickers(parameters?: GetTickersParameters): Promise<GetTickersReturnType>;
  /** The latest trades of a market, newest first; older ones are found with `getDomainEvents`. */
  getTrades(parameters: GetTradesParameters): Promise<GetTradesReturnType>;
  /** The active validators with stake and voting power. */
  getValidators(parameters?: GetValidatorsParameters): Promise<GetValidatorsReturnType>;
  /** Whether the equity of an account is below its maintenance margin. */
  isLiquidatable(parameters: IsLiquidatableParameters): Promise<IsLiquidatableReturnType>;
  /** Sends a signed action and waits until a block has carried it out; where no answer comes, the same bytes are sent again. */
  sendAction<const action extends Action>(
    parameters: SendActionParameters<action>,
  ): Promise<SendActionReturnType<action>>;
  /** Waits until a block has carried out an action that was sent before, and gives what it answered. */
  waitForAction<type extends ActionType = ActionType>(
    parameters: WaitForActionParameters,
  ): Promise<WaitForActionReturnType<type>>;
};

/**
 * Reads of a Prime node, and the sending of what is signed: `createPublicClient({ … }).extend(primeActions())`.
 */
export const primeActions =
  () =>
  (client: PrimeClient): PrimeActions => ({
    getAccount: (parameters) => getAccount(client, parameters),
    getAccountTransactions: (parameters) => getAccountTransactions(client, parameters),
    getAgents: (parameters) => getAgents(client, parameters),
    getBlockActions: (parameters) => getBlockActions(client, parameters),
    getCandles: (parameters) => getCandles(client, parameters),
    getCommit: (parameters) => getCommit(client, parameters),
    getCommits: (parameters) => getCommits(client, parameters),
    getConsensusStatus: () => getConsensusStatus(client),
    getDomainEvents: (parameters) => getDomainEvents(client, parameters),
    getGenesis: () => getGenesis(client),
    getMarket: (parameters) => getMarket(client, parameters),
    getMarkets: () => getMarkets(client),
    getNativeBlock: (parameters) => getNativeBlock(client, parameters),
    getNetwork: () => getNetwork(client),
    getOpenOrders: (parameters) => getOpenOrders(client, parameters),
    getOpenRpc: () => getOpenRpc(client),
    getOrder: (parameters) => getOrder(client, parameters),
    getOrderBook: (parameters) => getOrderBook(client, parameters),
    getOrdersProof: (parameters) => getOrdersProof(client, parameters),
    getRegisteredValidators: () => getRegisteredValidators(client),
    getTickers: (parameters) => getTickers(client, parameters),
    getTrades: (parameters) => getTrades(client, parameters),
    getValidators: (parameters) => getValidators(client, parameters),
    isLiquidatable: (parameters) => isLiquidatable(client, parameters),
    sendAction: (parameters) => sendAction(client, parameters),
    waitForAction: (parameters) => waitForAction(client, parameters),
  });
