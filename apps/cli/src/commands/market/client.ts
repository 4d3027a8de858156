/** The commands that ask a node as its callers do: one file of the bundled program, because they share the SDK. */
export { addAccountCommands } from './account.ts';
export { addAgentCommands } from './agent.ts';
export { addBookCommand } from './book.ts';
export { addCandlesCommand } from './candles.ts';
export { addDepositCommand, addTransferCommand, addWithdrawCommand } from './collateral.ts';
export { addGovernanceCommands } from './governance.ts';
export { addMarketCommands } from './market.ts';
export { addOrderCommands } from './order.ts';
export { addTriggerCommands } from './trigger.ts';
export { addSubAccountCommands } from './subAccount.ts';
