import { bindActions } from './actions/bindActions.ts';
import * as accounts from './actions/public/accounts.ts';
import type {
  GetAccountParameters,
  GetAccountReturnType,
  GetAccountTransactionsParameters,
  GetAccountTransactionsReturnType,
  GetAgentsParameters,
  GetAgentsReturnType,
  GetInsolventReturnType,
  GetMarketDebtsReturnType,
  GetOpenOrdersParameters,
  GetOpenOrdersReturnType,
  GetTriggersParameters,
  GetTriggersReturnType,
  GetSubAccountsParameters,
  GetSubAccountsReturnType,
  IsLiquidatableParameters,
  IsLiquidatableReturnType,
} from './actions/public/accounts.ts';
import * as histories from './actions/public/accountHistory.ts';
import type {
  GetFillsParameters,
  GetFillsReturnType,
  GetFundingParameters,
  GetFundingReturnType,
  GetLiquidationsParameters,
  GetLiquidationsReturnType,
  GetOrderHistoryParameters,
  GetOrderHistoryReturnType,
  GetTransfersParameters,
  GetTransfersReturnType,
} from './actions/public/accountHistory.ts';
import * as chain from './actions/public/chain.ts';
import type {
  GetBlockActionsParameters,
  GetBlockActionsReturnType,
  GetCommitParameters,
  GetCommitReturnType,
  GetCommitsParameters,
  GetCommitsReturnType,
  GetDomainEventsParameters,
  GetDomainEventsReturnType,
  GetGenesisReturnType,
  GetNativeBlockParameters,
  GetNativeBlockReturnType,
  GetOrdersProofParameters,
  GetOrdersProofReturnType,
  GetParametersParameters,
  GetParametersReturnType,
  GetProposalsParameters,
  GetProposalsReturnType,
} from './actions/public/chain.ts';
import * as markets from './actions/public/markets.ts';
import type {
  GetCandlesParameters,
  GetCandlesReturnType,
  GetMarketParameters,
  GetMarketReturnType,
  GetMarketsReturnType,
  GetMidsReturnType,
  GetOrderBookParameters,
  GetOrderBookReturnType,
  GetOrderParameters,
  GetOrderReturnType,
  GetTickersParameters,
  GetTickersReturnType,
  GetTradesParameters,
  GetTradesReturnType,
} from './actions/public/markets.ts';
import * as network from './actions/public/network.ts';
import type {
  GetConsensusStatusReturnType,
  GetNetworkReturnType,
  GetOpenRpcReturnType,
  GetRegisteredValidatorsReturnType,
  GetValidatorsParameters,
  GetValidatorsReturnType,
} from './actions/public/network.ts';
import { sendAction, type SendActionParameters, type SendActionReturnType } from './actions/public/sendAction.ts';
import {
  waitForAction,
  type WaitForActionParameters,
  type WaitForActionReturnType,
} from './actions/public/waitForAction.ts';
import { type PrimeClient } from './client.ts';
import { type DomainEventKind } from './streams/domainEvents.ts';
import { type Action, type ActionType } from './types/action.ts';

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
  /** What changed positions of an account, the last first, page by page: its trades, and deleveraging. */
  getFills(parameters: GetFillsParameters): Promise<GetFillsReturnType>;
  /** Funding of an account's positions that was settled, the last first, page by page. */
  getFunding(parameters: GetFundingParameters): Promise<GetFundingReturnType>;
  /** The genesis that the node runs on, as genesis.json has it. */
  getGenesis(): Promise<GetGenesisReturnType>;
  /** What liquidations did to an account, the last first, page by page. */
  getLiquidations(parameters: GetLiquidationsParameters): Promise<GetLiquidationsReturnType>;
  /** One market by its symbol or id. */
  getMarket(parameters: GetMarketParameters): Promise<GetMarketReturnType>;
  /** All markets by id, with their units, prices and margin; fees, risk tiers and funding where the network has them. */
  getMarkets(): Promise<GetMarketsReturnType>;
  /** A block as the chain itself sees it: orders root, validators, commit, domain events; null when there is none. */
  getNativeBlock(parameters: GetNativeBlockParameters): Promise<GetNativeBlockReturnType>;
  /** The middle between best bid and best ask of every market, by id, in one answer. */
  getMids(): Promise<GetMidsReturnType>;
  /** The accounts that owe more than they have, those who owe most first. */
  getInsolvent(): Promise<GetInsolventReturnType>;
  /** What markets owe because nobody paid a loss, and what they have to pay profits with, by market. */
  getMarketDebts(): Promise<GetMarketDebtsReturnType>;
  /** What the node knows of the network: rules and upgrades, validators with their newest block, other nodes. */
  getNetwork(): Promise<GetNetworkReturnType>;
  /** The resting orders of an account in all markets, by order id. */
  getOpenOrders(parameters: GetOpenOrdersParameters): Promise<GetOpenOrdersReturnType>;
  /** What of an account waits for the marks of markets, by order id. */
  getTriggers(parameters: GetTriggersParameters): Promise<GetTriggersReturnType>;
  /** The interface of the node as an OpenRPC document: every method with parameters, result, errors and examples. */
  getOpenRpc(): Promise<GetOpenRpcReturnType>;
  /** An order wherever it stands, or how it ended; null for one that never was. */
  getOrder(parameters: GetOrderParameters): Promise<GetOrderReturnType>;
  /** Price levels of a market, the best of each side first. */
  getOrderBook(parameters: GetOrderBookParameters): Promise<GetOrderBookReturnType>;
  /** Orders of an account that ended, the last first, page by page. */
  getOrderHistory(parameters: GetOrderHistoryParameters): Promise<GetOrderHistoryReturnType>;
  /** A record of the order book with what proves it, or its absence, under the state root of the newest block. */
  getOrdersProof(parameters: GetOrdersProofParameters): Promise<GetOrdersProofReturnType>;
  /** The parameters in force after a block: of consensus, EVM, order book and markets. */
  getParameters(parameters?: GetParametersParameters): Promise<GetParametersReturnType>;
  /** Changes of parameters that are voted on, or wait for their height. */
  getProposals(parameters?: GetProposalsParameters): Promise<GetProposalsReturnType>;
  /** All validators with stake, in the set or not. */
  getRegisteredValidators(): Promise<GetRegisteredValidatorsReturnType>;
  /** The sub-accounts that an owner made, by index. */
  getSubAccounts(parameters: GetSubAccountsParameters): Promise<GetSubAccountsReturnType>;
  /** Prices, best bid and ask, open interest and the last 24 hours of markets, by id. */
  getTickers(parameters?: GetTickersParameters): Promise<GetTickersReturnType>;
  /** The latest trades of a market, newest first; older ones are found with `getDomainEvents`. */
  getTrades(parameters: GetTradesParameters): Promise<GetTradesReturnType>;
  /** Wei that came to the collateral of an account or left it, the last first, page by page. */
  getTransfers(parameters: GetTransfersParameters): Promise<GetTransfersReturnType>;
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
    ...bindActions(client, accounts),
    ...bindActions(client, histories),
    ...bindActions(client, chain),
    ...bindActions(client, markets),
    ...bindActions(client, network),
    getDomainEvents: (parameters) => chain.getDomainEvents(client, parameters),
    sendAction: (parameters) => sendAction(client, parameters),
    waitForAction: (parameters) => waitForAction(client, parameters),
  });
