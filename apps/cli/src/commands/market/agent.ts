import type { AgentPermission } from '@prime/sdk';
import type { Command } from 'commander';
import { onNode } from '../../client/connect.ts';
import { print } from '../../terminal/output.ts';
import { addressOf, asSigner, parseAddress, type SignerFlags, withSigner } from '../../client/signer.ts';
import { left, table } from '../../terminal/table.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { usageError } from '../../errors.ts';

const permissionNames: readonly AgentPermission[] = ['trade', 'cancel', 'liquidate', 'sub_accounts'];

/** `prime agent …`: keys that may trade for an account and never move its money. */
export function addAgentCommands(program: Command): void {
  const agent = program.command('agent').description('Keys that may trade for an account, and never move its money');
  withSigner(agent.command('approve'))
    .description('Let a key act for the account; approve it again to change the terms')
    .argument('<agent>', 'address of the key, as prime account new says it')
    .option('--permissions <list>', `some of ${permissionNames.join(',')}`, 'trade,cancel')
    .option('--name <name>', 'what it is, up to 64 bytes')
    .option('--valid-for <time>', 'until it ends by itself: 12h, 30d (default: never)')
    .action(approve);
  withSigner(agent.command('revoke'))
    .description('End an agent for ever: the same key can not be approved again')
    .argument('<agent>', 'its address')
    .action(revoke);
  withSigner(agent.command('list'))
    .description('The agents of an account, also those that it revoked')
    .argument('[address]', 'whose (default: of the key)')
    .action(list);
}

const nameBytesMax = 64;

function parsePermissions(text: string): readonly AgentPermission[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.filter((name) => !(permissionNames as readonly string[]).includes(name));
  if (unknown.length === 0) return names as readonly AgentPermission[];
  throw usageError(`--permissions must be some of ${permissionNames.join(',')}, got ${text}`, '--permissions');
}

interface ApproveFlags extends SignerFlags {
  readonly permissions: string;
  readonly name?: string;
  readonly validFor?: string;
}

async function approve(
  text: string,
  { permissions: list, name = '', validFor, ...flags }: ApproveFlags,
): Promise<void> {
  const agent = parseAddress(text, 'AGENT');
  const permissions = parsePermissions(list);
  if (Buffer.byteLength(name) > nameBytesMax)
    throw usageError(`--name must be at most ${nameBytesMax} bytes`, '--name');
  const validUntilMs = validFor === undefined ? 0 : Date.now() + 1_000 * parseDuration(validFor, '--valid-for');
  await asSigner(flags, async ({ wallet, owner }) => {
    const { hash, blockNumber } = await wallet.approveAgent({ owner, agent, permissions, name, validUntilMs });
    const validUntil = timeOf(validUntilMs);
    print(flags, { agent, owner, permissions, name, validUntil, block: Number(blockNumber), hash }, () => [
      `${agent} may ${permissions.join(', ')} for ${owner}${validUntil === null ? '' : ` until ${validUntil}`}, block ${blockNumber}`,
    ]);
  });
}

async function revoke(text: string, flags: SignerFlags): Promise<void> {
  const agent = parseAddress(text, 'AGENT');
  await asSigner(flags, async ({ wallet, owner }) => {
    const { hash, blockNumber } = await wallet.revokeAgent({ owner, agent });
    print(flags, { agent, owner, block: Number(blockNumber), hash }, () => [
      `${agent} may do nothing for ${owner} any more, block ${blockNumber}`,
    ]);
  });
}

const timeOf = (timeMs: number): string | null => (timeMs === 0 ? null : new Date(timeMs).toISOString());

async function list(given: string | undefined, flags: SignerFlags): Promise<void> {
  const address = await addressOf(given, flags);
  await onNode(flags, async ({ client }) => {
    const agents = (await client.getAgents({ address })).map(({ validUntilMs, ...agent }) => ({
      ...agent,
      validUntil: timeOf(validUntilMs),
    }));
    const lines = table(agents, [
      left('agent', ({ agent }) => agent),
      left('status', ({ status }) => status),
      left('permissions', ({ permissions }) => permissions.join(',')),
      left('valid until', ({ validUntil }) => validUntil ?? 'for ever'),
      left('name', ({ name }) => name),
    ]);
    print(flags, agents, () => (lines.length === 0 ? [`${address} has no agents`] : lines));
  });
}
