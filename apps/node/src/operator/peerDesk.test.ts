import { describe, expect, it } from '@jest/globals';
import type { Peer, PeerMessage } from '@prime/engine';
import type { BanRecord, PeerDetails } from '@prime/network';
import type { Address, Height, Round } from '@prime/primitives';
import { createPeerHeads, operatePeers, type PeerDeskParts } from './peerDesk.ts';

const address = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
const peer = (index: number, role: Peer['role']): PeerDetails => ({
  address: address(index),
  role,
  listed: false,
  protocol: { known: 1, upgrades: [] },
  direction: 'inbound',
  remote: '127.0.0.1:9',
  listenAddress: '',
  pinned: false,
  height: 5 as Height,
  connectedForMs: 1_000,
  rttMs: null,
  queueBytes: 12,
  silentForMs: 20,
  offences: 1,
});

/** Four validators of power 10, of which this node is the first; 2 and 3 are connected, and a follower. */
function setup(sentries: readonly string[] = []) {
  const calls: unknown[] = [];
  let peers = [peer(2, 'validator'), peer(3, 'validator'), peer(9, 'full')];
  const bans: BanRecord[] = [];
  const heads = createPeerHeads();
  const parts: PeerDeskParts = {
    heads,
    shown: address(1),
    p2p: { sentries: [...sentries] },
    status: () => ({
      self: address(1),
      reachable: peers.filter(({ role }) => role === 'validator').map((each) => each.address),
      validators: {
        validators: [1, 2, 3, 4].map((index) => ({
          address: address(index),
          signer: address(index),
          publicKey: new Uint8Array(33),
          power: 10n,
          priority: 0n,
        })),
      } as unknown as ReturnType<PeerDeskParts['status']>['validators'],
    }),
    network: {
      peerDetails: () => peers,
      unconnected: () => [{ address: address(4), host: 'h', port: 4, trouble: null }],
      bans: () => bans,
      ban(banned, reason, durationMs) {
        const record = {
          address: banned,
          untilMs: 1_000_000 + durationMs,
          reason,
          offences: 0,
          byOperator: true as const,
        };
        bans.push(record);
        peers = peers.filter((each) => each.address !== banned);
        return record;
      },
      liftBan: (lifted) => void calls.push(['lift', lifted]),
      bansStored: async () => bans.length < 2,
      list: (listed) => void calls.push(['list', listed]),
    },
  };
  return { parts, calls, bans, heads };
}

describe('peers for an operator', () => {
  it('are listed with their power and the newest head that they told of', async () => {
    const { parts, heads } = setup();
    const seen: PeerMessage[] = [];
    const events = heads.watch(() => ({
      onMessage: (_from, message) => void seen.push(message),
      onPeerConnected: () => undefined,
      onPeerDisconnected: () => undefined,
      onIdentityInUse: () => undefined,
    }));
    const status = {
      kind: 'status',
      height: 8 as Height,
      round: 0 as Round,
      head: 7 as Height,
      base: 1 as Height,
    } as const;
    events.onMessage(address(2), status);
    expect(seen).toEqual([status]);
    const list = () => operatePeers(parts, { kind: 'peers' });
    expect(await list()).toMatchObject({
      peers: [
        {
          address: address(2),
          role: 'validator',
          power: '10',
          height: 7,
          queueBytes: 12,
          silentForMs: 20,
          offences: 1,
        },
        { address: address(3), power: '10', height: 5 },
        { address: address(9), role: 'full', power: null, height: 5 },
      ],
      unconnected: [{ address: address(4), host: 'h', port: 4, trouble: null }],
      bans: [],
      connectedPower: '30',
      totalPower: '40',
    });
    const vote = (validator: Address, height: number) => ({ kind: 'vote', vote: { validator, height } }) as PeerMessage;
    // Who votes has the block below. What it passes on says nothing of it, and an old vote nothing new.
    for (const message of [vote(address(2), 10), vote(address(3), 99), vote(address(2), 9)])
      events.onMessage(address(2), message);
    expect(await list()).toMatchObject({ peers: [{ height: 9 }, { height: 5 }, {}] });
    events.onPeerDisconnected(peer(2, 'validator'));
    expect(await list()).toMatchObject({ peers: [{ height: 5 }, {}, {}] });
  });

  it('are banned with the power that this costs, and with whether it will be known after a restart', async () => {
    const { parts } = setup();
    const ban = (index: number) =>
      operatePeers(parts, { kind: 'ban', address: address(index), seconds: 60, reason: 'x' });
    expect(await ban(3)).toEqual({
      address: address(3),
      reason: 'x',
      untilMs: 1_060_000,
      wasConnected: true,
      stored: true,
      power: '10',
      connectedPower: '20',
      totalPower: '40',
    });
    expect(await ban(8)).toMatchObject({ wasConnected: false, power: null, stored: false });
  });

  it('are let in again; a ban that is none is no error', async () => {
    const { parts, bans, calls } = setup();
    bans.push({ address: address(8), untilMs: 1, reason: 'x', offences: 1 });
    expect(await operatePeers(parts, { kind: 'unban', address: address(8) })).toMatchObject({
      wasBanned: true,
      stored: true,
    });
    expect(await operatePeers(parts, { kind: 'unban', address: address(7) })).toMatchObject({ wasBanned: false });
    expect(calls).toEqual([
      ['lift', address(8)],
      ['lift', address(7)],
    ]);
  });

  it('are added; a node refuses itself, and behind sentries all others: OPERATOR_PEER_REFUSED', async () => {
    const listed = { address: address(5), host: 'h', port: 1, spki: `0x${'cd'.repeat(32)}` };
    const open = setup();
    expect(await operatePeers(open.parts, { kind: 'addPeer', peer: listed })).toEqual(listed);
    expect(open.calls).toEqual([['list', listed]]);
    const hidden = setup([address(6)]);
    const refusals = [
      operatePeers(hidden.parts, { kind: 'addPeer', peer: listed }),
      operatePeers(open.parts, { kind: 'addPeer', peer: { ...listed, address: address(1) } }),
      operatePeers(open.parts, { kind: 'ban', address: address(1), seconds: 1, reason: 'x' }),
    ];
    for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ code: 'OPERATOR_PEER_REFUSED' });
    expect(hidden.calls).toEqual([]);
    expect(open.calls).toHaveLength(1);
    await operatePeers(hidden.parts, { kind: 'addPeer', peer: { ...listed, address: address(6) } });
    expect(hidden.calls).toHaveLength(1);
  });
});
