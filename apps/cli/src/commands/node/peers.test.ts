import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { homePaths } from '@prime/config';
import { exitCodeOf } from '@prime/node';
import { usePrime } from '../../testing/usePrime.ts';
import { setAdminPort, useServers } from '../../testing/useServers.ts';

const { folder, printed, prime, home } = usePrime(1);
const address = `0x${'ab'.repeat(20)}`;
const { serve } = useServers();

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

/** An admin endpoint that answers the same to everything; @returns what it was asked */
async function answering(answer: unknown, withToken = true): Promise<Asked[]> {
  const asked: Asked[] = [];
  const { port } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      asked.push({ method, path, token: headers.authorization, body: text === '' ? null : JSON.parse(text) });
      response.writeHead(200, { connection: 'close' }).end(JSON.stringify(answer));
    });
  });
  await setAdminPort(home(0), port);
  if (withToken) await writeFile(homePaths(home(0)).adminToken, '0xsecret\n');
  return asked;
}

const banned = {
  address,
  untilMs: Date.UTC(2030, 0, 1),
  reason: 'x',
  wasConnected: true,
  stored: true,
  power: null,
  connectedPower: '40',
  totalPower: '40',
};

describe('prime peers', () => {
  it('bans with the token of the node, for a day unless told otherwise', async () => {
    const asked = await answering(banned);
    await prime('peers', 'ban', address, '--home', home(0));
    await prime('peers', 'ban', address, '--home', home(0), '--for', '30m', '--reason', 'spam');
    const common = { method: 'POST', path: '/peers/ban', token: 'Bearer 0xsecret' };
    expect(asked).toEqual([
      { ...common, body: { address, seconds: 86_400, reason: 'banned by the operator' } },
      { ...common, body: { address, seconds: 1_800, reason: 'spam' } },
    ]);
    expect(printed[0]).toBe(`${address} is banned until 2030-01-01T00:00:00.000Z; it was connected`);
    expect(printed).toHaveLength(2);
  });

  it('warns of a validator, of a quorum that is gone, and of a ban that a restart ends', async () => {
    await answering({ ...banned, power: '10', connectedPower: '20', stored: false });
    await prime('peers', 'ban', address, '--home', home(0));
    expect(printed.slice(1)).toEqual([
      expect.stringMatching(/^WARNING: it is a validator with 10 of 40 voting power/),
      expect.stringMatching(/^WARNING: 20 of 40 voting power is connected/),
      expect.stringMatching(/^WARNING: this could not be written to bans.json/),
    ]);
  });

  it('lists peers in columns, and bans with who set them', async () => {
    const peer = {
      address,
      role: 'full',
      direction: 'inbound',
      remote: '10.0.0.1:9',
      height: 7,
      power: null,
      rttMs: 1.25,
      silentForMs: 400,
      queueBytes: 12,
      offences: 2,
    };
    const ban = { address, untilMs: banned.untilMs, reason: 'flood', offences: 1 };
    await answering({
      peers: [peer],
      unconnected: [
        { address, host: 'h', port: 4, trouble: null },
        {
          address,
          host: 'g',
          port: 5,
          trouble: { code: 'NETWORK_GENESIS_MISMATCH', reason: 'peer has another', forMs: 61_000 },
        },
      ],
      bans: [ban, { ...ban, reason: 'spam', byOperator: true }],
      connectedPower: '30',
      totalPower: '40',
    });
    await prime('peers', 'list', '--home', home(0));
    expect(printed).toEqual([
      'peers 1, voting power 30 of 40',
      expect.stringMatching(/^ADDRESS +ROLE +DIR +REMOTE +HEIGHT +POWER +RTT +HEARD +QUEUED +OFFENCES$/),
      `${address}  full  in   10.0.0.1:9  7       -      1.3 ms  0.4 s  12      2`,
      'not connected 2',
      `${address}  h:4  not tried yet`,
      `${address}  g:5  for 61.0 s: peer has another [NETWORK_GENESIS_MISMATCH]`,
      'bans 2',
      `${address}  until 2030-01-01T00:00:00.000Z  flood`,
      `${address}  until 2030-01-01T00:00:00.000Z  operator: spam`,
    ]);
  });

  it('adds what a file of peers holds', async () => {
    const asked = await answering({ address, host: 'h', port: 5 });
    const file = join(folder(), 'peers.toml');
    await mkdir(folder(), { recursive: true });
    await writeFile(
      file,
      `[[p2p.peers]]\naddress = "${address}"\nhost = "h"\nport = 5\nspki = "0x${'cd'.repeat(32)}"\n`,
    );
    await prime('peers', 'add', '--home', home(0), '--peers', file);
    expect(asked.map(({ path, body }) => [path, body])).toEqual([
      ['/peers/add', { address, host: 'h', port: 5, spki: `0x${'cd'.repeat(32)}` }],
    ]);
    expect(printed).toEqual([`${address} is dialled at h:5`]);
  });

  it('says what the node refuses: CLI_NODE_REFUSED', async () => {
    await answering({ error: { code: 'OPERATOR_PEER_REFUSED', message: 'it is this node itself' } });
    await expect(prime('peers', 'unban', address, '--home', home(0))).rejects.toMatchObject({
      code: 'CLI_NODE_REFUSED',
      detail: { refusal: 'OPERATOR_PEER_REFUSED' },
      message: 'the node answers: it is this node itself',
    });
    expect(exitCodeOf('CLI_NODE_REFUSED')).toBe(65);
  });

  it('a node that does not run, and one whose token is not to be read: CLI_UNREACHABLE', async () => {
    await setAdminPort(home(0), 1);
    await expect(prime('peers', 'list', '--home', home(0))).rejects.toMatchObject({ code: 'CLI_UNREACHABLE' });
    const asked = await answering(banned, false);
    await expect(prime('peers', 'ban', address, '--home', home(0))).rejects.toMatchObject({ code: 'CLI_UNREACHABLE' });
    expect(asked).toEqual([]);
  });
});
