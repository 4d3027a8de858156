import { describe, expect, it } from '@jest/globals';
import { type Frame, stacksOfCpuProfile, stacksOfPerf } from './files.ts';
import { flameGraph } from './flameGraph.ts';
import { kindOf, sharesOf } from './kinds.ts';

const evm: Frame = { name: 'runTx', file: 'file:///prime/packages/evm/dist/execute.js' };
const trie: Frame = { name: 'put', file: 'file:///prime/packages/evm/dist/trie/trie.js' };
const builtIn: Frame = { name: 'get', file: '' };

describe('kinds of processor time', () => {
  it('the innermost frame that tells it decides', () => {
    expect(kindOf([builtIn, trie, evm])).toBe('trie');
    expect(kindOf([builtIn, evm])).toBe('EVM');
    expect(kindOf([builtIn])).toBe('other');
    expect(kindOf([{ name: '(garbage collector)', file: '' }, evm])).toBe('GC');
    expect(kindOf([{ name: '_int_malloc', file: '/usr/lib/libc.so.6' }])).toBe('malloc');
    expect(kindOf([{ name: 'free', file: 'file:///prime/packages/mempool/dist/pool.js' }])).toBe('consensus');
    expect(kindOf([{ name: 'do_futex', file: '[kernel.kallsyms]' }])).toBe('kernel');
    expect(
      kindOf([
        { name: '__memmove', file: '/usr/lib/libc.so.6' },
        { name: 'leveldb::MemTable::Add', file: '/classic-level/a.node' },
      ]),
    ).toBe('disk');
  });

  it('perf tells what V8 can not see, and V8 shares out the rest', () => {
    const v8 = [
      { frames: [evm], weight: 300 },
      { frames: [trie], weight: 100 },
      { frames: [{ name: '(garbage collector)', file: '' }], weight: 600 },
    ];
    const perf = [[{ name: '_int_free', file: 'libc.so.6' }], [builtIn], [builtIn], [builtIn]];
    expect(Object.fromEntries(sharesOf(v8, perf))).toEqual({ malloc: 0.25, EVM: 0.5625, trie: 0.1875 });
    expect(Object.fromEntries(sharesOf(v8, []))).toEqual({ EVM: 0.3, trie: 0.1, GC: 0.6 });
    expect(Object.fromEntries(sharesOf([], []))).toEqual({ other: 1 });
  });

  it('a profile of V8 becomes stacks by time, without idle time', () => {
    const node = (id: number, functionName: string, children: number[]) => ({
      id,
      callFrame: { functionName, url: functionName === 'put' ? trie.file : '' },
      children,
    });
    const nodes = [node(1, '(root)', [2, 4]), node(2, '', [3]), node(3, 'put', []), node(4, '(idle)', [])];
    const profile = { nodes, samples: [3, 4, 3], timeDeltas: [10, 99, 5] };
    expect(stacksOfCpuProfile('evm', profile).stacks).toEqual([
      { frames: [trie, { name: '(anonymous)', file: '' }], weight: 15 },
    ]);
  });

  it('samples of perf are stacks of their threads', () => {
    const text =
      '  12/34 \n\t    7f64 _int_free (/lib/libc.so.6)\n\t    a5 f(int) (/bin/node)\n\n12 \n\t ffff do_futex ([kernel.kallsyms])\n\n';
    expect([...stacksOfPerf(text)]).toEqual([
      [
        34,
        [
          [
            { name: '_int_free', file: '/lib/libc.so.6' },
            { name: 'f(int)', file: '/bin/node' },
          ],
        ],
      ],
      [12, [[{ name: 'do_futex', file: '[kernel.kallsyms]' }]]],
    ]);
  });

  it('a flame graph is as wide as time was long, and takes names as text', () => {
    const svg = flameGraph({
      thread: 'evm',
      stacks: [
        { frames: [{ name: '<b>', file: '' }], weight: 1 },
        { frames: [evm], weight: 3 },
      ],
    });
    expect(svg).toContain('&lt;b&gt;: 25.00 %, other');
    expect(svg).toContain('width="1200.0"');
    expect(svg).not.toContain('<b>');
  });
});
