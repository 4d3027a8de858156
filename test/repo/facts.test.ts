/** Facts of the protocol stand in one file each; everything else takes them from there. */
import { describe, expect, it } from '@jest/globals';
import { filesBelow, readText } from './repository.ts';

interface Fact {
  readonly what: string;
  readonly written: RegExp;
  /** Where it may stand, with the reason where it is more than one place. */
  readonly homes: readonly string[];
}

const facts: readonly Fact[] = [
  {
    what: 'addresses of the protocol',
    written: /0x0{37}(?:100|101|200)\b/i,
    // The package for Solidity has no dependency; its test holds it against the SDK.
    homes: ['packages/codec/src/genesis/protocolAddresses.ts', 'packages/contracts/src/constants.ts'],
  },
  {
    what: 'the zero address',
    written: /0x0{40}(?!0)|'0'\.repeat\(40\)|'00'\.repeat\(20\)/,
    homes: ['packages/primitives/src/bytes.ts'],
  },
  { what: 'sides', written: /\[\s*'buy',\s*'sell'\s*\]/, homes: ['packages/codec/src/actions/orderWords.ts'] },
  { what: 'times in force', written: /'gtc',\s*'ioc',\s*'fok'/, homes: ['packages/codec/src/actions/orderWords.ts'] },
  {
    what: 'self-trade modes',
    written: /'cancel_maker',\s*'cancel_taker'/,
    homes: ['packages/codec/src/actions/orderWords.ts'],
  },
  {
    what: 'statuses of orders',
    written: /'filled',\s*'partially_filled'/,
    homes: ['packages/codec/src/actions/orderWords.ts'],
  },
  {
    what: 'codes and kinds of refusals',
    written: /\b(?:CLOB|STAKING)_[A-Z_]+: '/,
    homes: ['packages/codec/src/outcomes/refusals.ts'],
  },
  {
    what: 'shares of voting power',
    written: /3n \* \w*[pP]ower|[pP]ower\w*\)* \* 3n/,
    homes: ['packages/codec/src/consensus/quorum.ts'],
  },
];

/** Of programs and libraries; tests name what they check in full. */
const sources = ['packages', 'apps']
  .flatMap((folder) => filesBelow(folder))
  .filter((path) => /\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path));

describe('facts of the protocol', () => {
  it.each(facts)('$what: written in one place', ({ written, homes }) => {
    const places = sources.filter((path) => written.test(readText(path)));
    expect(places.filter((path) => !homes.includes(path))).toEqual([]);
    // A home that holds nothing would make the rule one that never refuses.
    expect(homes.filter((path) => !places.includes(path))).toEqual([]);
  });
});
