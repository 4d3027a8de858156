import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Height } from '@prime/primitives';
import { TestNet } from '../testing/harness.ts';

let net: TestNet;
beforeAll(async () => {
  net = await TestNet.create(3);
});
afterEach(() => net.close());

describe('validators that the chain tells of', () => {
  it('are dialled and pinned like listed ones', async () => {
    const [one, two] = [await net.node(0), await net.node(1, { acceptUnknownFollowers: false })];
    two.network.follow([one.listed]);
    one.network.follow([two.listed]);
    const { peer } = await two.recorder.next('peerConnected');
    expect(peer).toMatchObject({ address: net.identities[0]!.address, role: 'validator' });
    await one.recorder.next('peerConnected');
    expect(two.network.peerDetails()[0]!.pinned).toBe(true);
  });

  it('with a pin that is not theirs: refused', async () => {
    const [one, two] = [await net.node(0), await net.node(1)];
    two.network.follow([{ ...one.listed, spki: net.identities[2]!.tls.spki }]);
    expect((await two.recorder.next('refused')).error.code).toBe('NETWORK_PIN_MISMATCH');
  });

  it('who is no validator any more follows from then on, and comes back as a follower with the keys it had', async () => {
    const left = new Set<Address>();
    const signersOf = (address: Address): readonly Address[] => (left.has(address) ? [] : net.signersOf(address));
    const formerSignersOf = (address: Address): readonly Address[] => (left.has(address) ? net.signersOf(address) : []);
    const [one, two] = [await net.node(0, { signersOf, formerSignersOf }), await net.node(1)];
    const { address } = two.identity;
    one.network.follow([two.listed]);
    await one.recorder.next('peerConnected');
    left.add(address);
    one.network.follow([]);
    expect(one.network.peers()).toMatchObject([{ address, role: 'full' }]);
    await two.network.close();
    await one.recorder.next('disconnected');
    // Its own blocks may end before the one that says so.
    await net.node(1, { peers: [one.listed], headHeight: () => 3 as Height });
    const { peer } = await one.recorder.next('peerConnected', (event) => event.peer.role === 'full');
    expect(peer.address).toBe(address);
    const stranger = { ...net.identities[1]!, sign: net.identities[2]!.sign };
    await net.node(1, { peers: [one.listed], identity: { ...stranger, role: 'validator' } });
    expect((await one.recorder.next('refused')).error.code).toBe('NETWORK_IDENTITY_INVALID');
  });

  it('a listed validator that exchanged its key in blocks that it does not have is taken by its pin', async () => {
    const fresh = [net.identities[2]!.signer];
    const one = await net.node(0, { signersOf: () => fresh, acceptUnknownFollowers: false });
    const two = await net.node(1, { headHeight: () => 3 as Height });
    one.network.follow([two.listed]);
    expect((await one.recorder.next('peerConnected')).peer.role).toBe('validator');
  });

  it('where followers are not let in, who is no validator any more is let go, and can not come back as one', async () => {
    const left = new Set<Address>();
    const signersOf = (address: Address): readonly Address[] => (left.has(address) ? [] : net.signersOf(address));
    const one = await net.node(0, { signersOf, acceptUnknownFollowers: false });
    const two = await net.node(1);
    one.network.follow([two.listed]);
    await one.recorder.next('peerConnected');
    left.add(net.identities[1]!.address);
    one.network.follow([]);
    expect((await one.recorder.next('disconnected')).error.code).toBe('NETWORK_IDENTITY_INVALID');
    two.network.follow([one.listed]);
    expect((await one.recorder.next('refused')).error.code).toBe('NETWORK_UNKNOWN_PEER');
  });

  it('a key that was exchanged a moment ago still counts', async () => {
    const fresh = net.identities[2]!.signer;
    const signersOf = (address: Address): readonly Address[] => [fresh, ...net.signersOf(address)];
    const [one, two] = [await net.node(0, { signersOf }), await net.node(1)];
    two.network.follow([one.listed]);
    const { peer } = await one.recorder.next('peerConnected');
    expect(peer.address).toBe(net.identities[1]!.address);
  });
});
