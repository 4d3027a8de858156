import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActionResult, decodeActionResult, encodeActionResult } from '@prime/codec';
import { bytesToHex, hexToBytes } from '@prime/primitives';
import { hashOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

interface ShownAction {
  readonly hash: string;
  readonly raw: string;
  readonly status: string;
  readonly output: `0x${string}`;
}

describe('what an audit reads of a node', () => {
  let running: RunningGateway;
  const done: ActionResult = { ok: true, value: { type: 'done' } };
  const refused: ActionResult = { ok: false, error: { code: 'CLOB_NONCE', message: 'nonce was used', data: {} } };
  const hash = hashOf('an action');
  const raw = Uint8Array.of(0x50, 1, 2);

  beforeAll(async () => {
    running = await startGateway({ info: { genesisText: () => '{"formatVersion":2,"chainId":7919}' } });
    const { gateway, node } = running;
    gateway.applyDelta(node.commit({ actions: [{ hash, raw, result: done }] }));
    gateway.applyDelta(node.commit());
    gateway.applyDelta(
      node.commit({
        actions: [
          { hash: hashOf('another'), raw, result: done },
          { hash, raw, result: refused },
        ],
      }),
    );
  });
  afterAll(() => running.gateway.close());

  it('prime_getBlockActions: all of a block in their order, none of an empty one, null of one that is not there', async () => {
    expect(await running.call('prime_getBlockActions', '0x1')).toEqual([
      { hash, raw: bytesToHex(raw), status: '0x1', output: bytesToHex(encodeActionResult(done)) },
    ]);
    expect(await running.call('prime_getBlockActions', '0x2')).toEqual([]);
    expect(await running.call('prime_getBlockActions', '0x0')).toEqual([]);
    expect(await running.call('prime_getBlockActions', '0x4')).toBeNull();
  });

  it('prime_getBlockActions: an action that is in two blocks has in each what it answered there', async () => {
    const shown = (await running.call('prime_getBlockActions', 'latest')) as ShownAction[];
    expect(shown.map((action) => [action.hash, action.status])).toEqual([
      [hashOf('another'), '0x1'],
      [hash, '0x0'],
    ]);
    expect(decodeActionResult(hexToBytes(shown[1]!.output))).toEqual(refused);
  });

  it('prime_getGenesis: what genesis.json has', async () => {
    expect(await running.call('prime_getGenesis')).toEqual({ formatVersion: 2, chainId: 7919 });
  });
});
