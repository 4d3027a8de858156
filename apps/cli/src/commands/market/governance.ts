import type { Hash, ParameterChange, ParameterName, ParameterProposal } from '@prime/sdk';
import type { Command } from 'commander';
import { onNode, type NodeFlags, withNode } from '../../client/connect.ts';
import { asSigner, type SignerFlags, withSigner } from '../../client/signer.ts';
import { parseWholeNumber, usageError } from '../../errors.ts';
import { print } from '../../terminal/output.ts';
import { left, right, table } from '../../terminal/table.ts';

/** `prime gov …`: parameters that change while the network runs, by the admin or by votes of validators. */
export function addGovernanceCommands(program: Command): void {
  const gov = program
    .command('gov')
    .description('Change parameters while the network runs: by the admin, or by votes of validators');
  withChange(gov.command('change'))
    .description('Change a parameter with the key of the admin')
    .option('--at <height>', 'block that begins with it (default: at once)')
    .action(change);
  withChange(gov.command('propose'))
    .description('Put a change to the vote, with the key of the owner of a validator')
    .requiredOption('--at <height>', 'block that begins with it, at least 10 ahead')
    .option('--until <height>', 'from this block on no vote counts (default: that of --at)')
    .action(propose);
  withSigner(gov.command('vote'))
    .description('Say yes or no to a proposal, with the key of the owner of a validator')
    .argument('<proposal>', 'its hash, as prime gov list shows it')
    .argument('<answer>', 'yes or no')
    .action(vote);
  withNode(gov.command('list')).description('Proposals that are open, or wait for their height').action(list);
}

const withChange = (command: Command): Command =>
  withSigner(command)
    .argument('<parameter>', 'name of the parameter, as in the clob section of genesis.json')
    .argument('<value>', 'JSON as in genesis.json, for example 25 or \'{"takerPpm":300,"makerPpm":0}\'')
    .option('--market <id>', 'of this market (default: of all)');

interface ChangeFlags extends SignerFlags {
  readonly market?: string;
  readonly at?: string;
}

/** @throws CliError `CLI_USAGE` */
function changeOf(parameter: string, text: string, { market }: ChangeFlags): ParameterChange {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`VALUE must be JSON, got ${text}`, 'VALUE');
  }
  return {
    // What is none of them is refused with the list of those that are.
    parameter: parameter as ParameterName,
    value,
    ...(market === undefined ? {} : { market: parseWholeNumber(market, '--market', 1, 0xffffffff) }),
  };
}

async function change(parameter: string, value: string, flags: ChangeFlags): Promise<void> {
  await sendChange(changeOf(parameter, value, flags), flags);
}

/** Sends a change of the admin, and says when it is made. */
export async function sendChange(what: ParameterChange, flags: SignerFlags & { readonly at?: string }): Promise<void> {
  const atHeight = flags.at === undefined ? 0 : parseWholeNumber(flags.at, '--at', 1, Number.MAX_SAFE_INTEGER);
  await asSigner(flags, async ({ wallet, owner }) => {
    const { hash, blockNumber } = await wallet.changeParameter({ owner, change: what, atHeight });
    const block = Number(blockNumber);
    print(flags, { parameter: what.parameter, atHeight: atHeight === 0 ? block : atHeight, block, hash }, () => [
      `${what.parameter} ${atHeight === 0 ? 'changed' : `changes in block ${atHeight}, sent`} in block ${block}`,
    ]);
  });
}

async function propose(
  parameter: string,
  value: string,
  flags: ChangeFlags & { readonly at: string; readonly until?: string },
): Promise<void> {
  const what = changeOf(parameter, value, flags);
  const activationHeight = parseWholeNumber(flags.at, '--at', 1, Number.MAX_SAFE_INTEGER);
  const expiryHeight =
    flags.until === undefined ? activationHeight : parseWholeNumber(flags.until, '--until', 1, Number.MAX_SAFE_INTEGER);
  await asSigner(flags, async ({ wallet, owner, client }) => {
    const { blockNumber } = await wallet.proposeChange({ owner, change: what, activationHeight, expiryHeight });
    const open = await client.getProposals({ block: blockNumber });
    const own = open.find(
      (one) =>
        one.proposer === owner.toLowerCase() &&
        one.parameter === parameter &&
        one.activationHeight === activationHeight &&
        one.expiryHeight === expiryHeight,
    );
    const block = Number(blockNumber);
    print(flags, { proposal: own?.proposal ?? null, activationHeight, expiryHeight, block }, () => [
      `proposed in block ${block}${own === undefined ? '' : `: ${own.proposal}`}`,
    ]);
  });
}

async function vote(proposal: string, answer: string, flags: SignerFlags): Promise<void> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(proposal))
    throw usageError(`PROPOSAL must be 0x and 64 hex digits, got ${proposal}`, 'PROPOSAL');
  if (answer !== 'yes' && answer !== 'no') throw usageError(`ANSWER must be yes or no, got ${answer}`, 'ANSWER');
  await asSigner(flags, async ({ wallet, owner }) => {
    const { hash, blockNumber } = await wallet.voteOnChange({
      owner,
      proposal: proposal as Hash,
      yes: answer === 'yes',
    });
    const block = Number(blockNumber);
    print(flags, { proposal, yes: answer === 'yes', block, hash }, () => [`${answer} of ${owner} in block ${block}`]);
  });
}

const stateOf = ({ hasPassed, votes }: ParameterProposal): string =>
  hasPassed ? 'passed' : `${votes.filter(({ yes }) => yes).length} of ${votes.length} votes yes`;

async function list(flags: NodeFlags): Promise<void> {
  await onNode(flags, async ({ client }) => {
    const open = await client.getProposals();
    const lines = table(open, [
      left('proposal', ({ proposal }) => proposal),
      left('parameter', ({ parameter, marketId }) =>
        marketId === null ? parameter : `${parameter} of market ${marketId}`,
      ),
      left('value', ({ value }) => JSON.stringify(value)),
      right('until', ({ expiryHeight }) => String(expiryHeight)),
      right('made in', ({ activationHeight }) => String(activationHeight)),
      left('state', stateOf),
    ]);
    print(flags, open, () => (lines.length === 0 ? ['no proposals are open'] : lines));
  });
}
