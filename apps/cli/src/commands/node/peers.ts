import { isQuorum } from '@prime/codec';
import type { BanRecord, PeerDetails, UnconnectedPeer } from '@prime/network';
import type { Command } from 'commander';
import { adminClient } from '../../node/adminClient.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { peersIn } from '../../home/peersFile.ts';
import { type JsonFlags, print } from '../../terminal/output.ts';
import { left, table } from '../../terminal/table.ts';

interface HomeOption {
  readonly home: string;
}

/** What the admin endpoint answers; powers are decimal strings. */
interface Power {
  readonly connectedPower: string;
  readonly totalPower: string;
}

interface PeerList extends Power {
  readonly peers: readonly (Omit<PeerDetails, 'protocol'> & { readonly power: string | null })[];
  readonly unconnected: readonly UnconnectedPeer[];
  readonly bans: readonly BanRecord[];
}

interface Banned extends Power {
  readonly address: string;
  readonly untilMs: number;
  readonly wasConnected: boolean;
  readonly stored: boolean;
  /** Null where it is no validator. */
  readonly power: string | null;
}

/** `prime peers list | ban | unban | add`: whom a running node talks to. */
export function addPeersCommands(program: Command): void {
  const peers = program.command('peers').description('Whom a running node talks to, and whom it does not');
  const command = (usage: string, description: string): Command =>
    peers.command(usage).description(description).requiredOption('--home <dir>', 'home folder of the running node');
  command('list', 'Connected peers and bans')
    .option('--json', 'the whole answer as JSON')
    .action(async ({ home, ...flags }: HomeOption & JsonFlags) => {
      const list = await (await adminClient(home)).read<PeerList>('/peers');
      print(flags, list, () => listLines(list));
    });
  command('ban <address>', 'End the connection to a peer, and take no other one for a time; restarts do not change it')
    .option('--for <time>', 'how long: 90s, 30m, 12h, 7d', '24h')
    .option('--reason <text>', 'for the log and the list of bans', 'banned by the operator')
    .action(async (address: string, flags: HomeOption & { readonly for: string; readonly reason: string }) => {
      const seconds = parseDuration(flags.for, '--for');
      const admin = await adminClient(flags.home);
      const banned = await admin.command<Banned>('/peers/ban', { address, seconds, reason: flags.reason });
      for (const line of banLines(banned)) console.log(line);
    });
  command('unban <address>', 'End a ban, also one of the node itself').action(
    async (address: string, { home }: HomeOption) => {
      const admin = await adminClient(home);
      const lifted = await admin.command<{ readonly wasBanned: boolean; readonly stored: boolean }>('/peers/unban', {
        address,
      });
      console.log(lifted.wasBanned ? `${address} may come again` : `${address} was not banned`);
      if (!lifted.stored) console.log(notStored);
    },
  );
  command('add', 'Connect with peers until the node ends; for longer write them into its config.toml')
    .requiredOption('--peers <file>', '[[p2p.peers]] tables, as prime node show prints them')
    .action(async ({ home, peers: file }: HomeOption & { readonly peers: string }) => {
      const admin = await adminClient(home);
      for (const peer of await peersIn(file)) {
        const { address, host, port } = await admin.command<{ address: string; host: string; port: number }>(
          '/peers/add',
          peer,
        );
        console.log(`${address} is dialled at ${host}:${port}`);
      }
    });
}

const notStored = 'WARNING: this could not be written to bans.json: it ends with the process';

const hasQuorum = ({ connectedPower, totalPower }: Power): boolean =>
  isQuorum(BigInt(connectedPower), BigInt(totalPower));

function banLines(banned: Banned): string[] {
  const { address, untilMs, wasConnected, stored, power, connectedPower, totalPower } = banned;
  const until = new Date(untilMs).toISOString();
  const lines = [`${address} is banned until ${until}${wasConnected ? '; it was connected' : ''}`];
  if (power !== null)
    lines.push(
      `WARNING: it is a validator with ${power} of ${totalPower} voting power: what it says comes through other nodes now, later or not at all`,
    );
  if (power !== null && !hasQuorum(banned))
    lines.push(
      `WARNING: ${connectedPower} of ${totalPower} voting power is connected, which is not more than 2/3: prime peers unban ${address}`,
    );
  if (!stored) lines.push(notStored);
  return lines;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

function listLines({ peers, unconnected, bans, connectedPower, totalPower }: PeerList): string[] {
  const rows = table(peers, [
    left('ADDRESS', ({ address }) => address),
    left('ROLE', ({ role }) => role),
    left('DIR', ({ direction }) => (direction === 'inbound' ? 'in' : 'out')),
    left('REMOTE', ({ remote }) => remote),
    left('HEIGHT', ({ height }) => String(height)),
    left('POWER', ({ power }) => power ?? '-'),
    left('RTT', ({ rttMs }) => (rttMs === null ? '-' : `${rttMs.toFixed(1)} ms`)),
    left('HEARD', ({ silentForMs }) => seconds(silentForMs)),
    left('QUEUED', ({ queueBytes }) => String(queueBytes)),
    left('OFFENCES', ({ offences }) => String(offences)),
  ]);
  return [
    `peers ${peers.length}, voting power ${connectedPower} of ${totalPower}`,
    ...rows,
    ...(unconnected.length === 0 ? [] : [`not connected ${unconnected.length}`]),
    ...unconnected.map(
      ({ address, host, port, trouble }) =>
        `${address}  ${host}:${port}  ${trouble === null ? 'not tried yet' : `for ${seconds(trouble.forMs)}: ${trouble.reason} [${trouble.code}]`}`,
    ),
    `bans ${bans.length}`,
    ...bans.map(
      ({ address, untilMs, reason, byOperator }) =>
        `${address}  until ${new Date(untilMs).toISOString()}  ${byOperator === true ? 'operator: ' : ''}${reason}`,
    ),
  ];
}
