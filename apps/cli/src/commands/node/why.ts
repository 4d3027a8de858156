import type { Command } from 'commander';
import { type Connection, type NodeFlags, onNode, withNode } from '../../client/connect.ts';
import { whyBehind } from '../../why/behind.ts';
import { whyJailed } from '../../why/jailed.ts';
import { accountNamed, whyLiquidated } from '../../why/liquidated.ts';
import { whyNoBlock } from '../../why/noBlock.ts';
import { orderKey, whyOrder } from '../../why/order.ts';
import { whyRefused } from '../../why/refused.ts';
import { type Answer, tell } from '../../why/tell.ts';
import { transactionHash, whyTransaction } from '../../why/transaction.ts';

/** `prime why …`: questions that a node, its validators or an account raise, answered in sentences. */
export function addWhyCommands(program: Command): void {
  const why = program
    .command('why')
    .description('Why something is as it is, in sentences with the numbers that decided; changes nothing');
  withNode(why.command('no-block'))
    .description('Why there is no block: what the next one waits for, who is missing, and the power that lacks')
    .action((flags: NodeFlags) => ask(flags, whyNoBlock));
  withNode(why.command('behind'))
    .description('Why the asked node is behind the others, or a validator as the asked node sees it')
    .argument('[validator]', 'address or moniker (default: the asked node)')
    .action((validator: string | undefined, flags: NodeFlags) =>
      ask(flags, (connection) => whyBehind(connection, validator)),
    );
  withNode(why.command('jailed'))
    .description('Why a validator is not in the set: evidence, blocks that it did not sign, or its owner')
    .argument('<validator>', 'address or moniker')
    .action((validator: string, flags: NodeFlags) => ask(flags, (connection) => whyJailed(connection, validator)));
  withNode(why.command('order'))
    .description('How an order stands or ended, and why')
    .argument('<id>', 'its id; with --owner its client id')
    .option('--owner <address>', 'whose client id it is')
    .action((id: string, flags: NodeFlags & { readonly owner?: string }) => {
      const key = orderKey(id, flags.owner);
      return ask(flags, (connection) => whyOrder(connection, key));
    });
  withNode(why.command('transaction'))
    .description('What became of a transaction or signed action, and why it was refused or reverted')
    .argument('<hash>', 'its hash')
    .action((given: string, flags: NodeFlags) => {
      const hash = transactionHash(given);
      return ask(flags, (connection) => whyTransaction(connection, hash));
    });
  withNode(why.command('liquidated'))
    .description('Why and how an account was liquidated; what keeps it from that where it was not')
    .argument('<account>', 'its address')
    .action((given: string, flags: NodeFlags) => {
      const account = accountNamed(given);
      return ask(flags, (connection) => whyLiquidated(connection, account));
    });
  why
    .command('refused')
    .description('What a code, a kind or the words of a refusal mean; asks no node')
    .argument('<words...>', 'insufficient_margin, MEMPOOL_UNDERPRICED, or how the words of the node begin')
    .option('--json', 'for programs: JSON')
    .action((words: readonly string[], flags: NodeFlags) => tell(flags, whyRefused(words.join(' '))));
}

const ask = (flags: NodeFlags, answer: (connection: Connection) => Promise<Answer>): Promise<void> =>
  onNode(flags, async (connection) => tell(flags, await answer(connection)));
