import type { Mutant } from './mutant.ts';

/** Of what light clients believe, the steps of consensus. */

const consensus = (file: string): string => `packages/consensus/src/${file}`;
const codec = (file: string): string => `packages/codec/src/${file}`;
const blocks = ['packages/sdk/src/light/verifyBlock.test.ts'];
const trusts = ['packages/sdk/src/light/trust.test.ts'];
const clients = ['packages/sdk/src/light/createLightClient.test.ts'];
const steps = [consensus('light/light.test.ts')];
const certificates = [consensus('commitCertificate.test.ts')];

const stepMutants: readonly Mutant[] = [
  {
    name: 'two thirds of the power are a quorum',
    file: codec('consensus/quorum.ts'),
    text: '3n * power > 2n * total',
    planted: '3n * power >= 2n * total',
    tests: blocks,
  },
  {
    name: 'a third of the known power leads to a later block',
    file: codec('consensus/quorum.ts'),
    text: '3n * power > total',
    planted: '3n * power >= total',
    tests: blocks,
  },
  {
    name: 'trust whose period is over to the millisecond is young',
    file: consensus('light/verify.ts'),
    text: 'trusted.timestampMs + trustingPeriodMs > nowMs',
    planted: 'trusted.timestampMs + trustingPeriodMs >= nowMs',
    tests: steps,
  },
  {
    name: 'an old trust needs a third',
    file: consensus('light/verify.ts'),
    text: "level === 'third' ? isSkipQuorum(known.power, known.total) : isQuorum(known.power, known.total)",
    planted: "level === 'third' ? isSkipQuorum(known.power, known.total) : isSkipQuorum(known.power, known.total)",
    tests: blocks,
  },
  {
    name: 'known power counts whoever signed',
    file: consensus('light/verify.ts'),
    text: 'signed.has(address) && key !== undefined',
    planted: 'key !== undefined',
    tests: steps,
  },
  {
    name: 'a known validator counts under a key of the liar',
    file: consensus('light/verify.ts'),
    text: 'key !== undefined && bytesEqual(key, publicKey)',
    planted: 'key !== undefined',
    tests: steps,
  },
  {
    name: 'known power is out of those who signed',
    file: consensus('light/verify.ts'),
    text: 'total += own;',
    planted: 'if (signed.has(address)) total += own;',
    tests: blocks,
  },
  {
    name: 'a set that no believed header names needs no known power',
    file: consensus('light/verify.ts'),
    text: 'if (!isNamed) {',
    planted: 'if (false) {',
    tests: blocks,
  },
  {
    name: 'the next block may have other validators than were named',
    file: consensus('light/verify.ts'),
    text: 'height === trusted.height + 1 && !isNamed',
    planted: 'height === trusted.height && !isNamed',
    tests: blocks,
  },
  {
    name: 'a header of any chain id is taken',
    file: consensus('light/verify.ts'),
    text: 'header.chainId !== context.chainId',
    planted: 'false',
    tests: blocks,
  },
  {
    name: 'the trusted height itself is later',
    file: consensus('light/verify.ts'),
    text: 'height <= trusted.height',
    planted: 'height < trusted.height',
    tests: steps,
  },
  {
    name: 'time may stand still',
    file: consensus('light/verify.ts'),
    text: 'timestampMs <= trusted.timestampMs',
    planted: 'timestampMs < trusted.timestampMs',
    tests: blocks,
  },
  {
    name: 'clocks may be apart by a millisecond more',
    file: consensus('light/verify.ts'),
    text: 'timestampMs > context.nowMs + clockDriftMs',
    planted: 'timestampMs > context.nowMs + clockDriftMs + 1',
    tests: blocks,
  },
  {
    name: 'a certificate of another height is of this block',
    file: consensus('light/verify.ts'),
    text: 'certificate.height !== height || certificate.blockHash !== blockHash',
    planted: 'certificate.blockHash !== blockHash',
    tests: steps,
  },
  {
    name: 'a certificate of another block is of this one',
    file: consensus('light/verify.ts'),
    text: 'certificate.height !== height || certificate.blockHash !== blockHash',
    planted: 'certificate.height !== height',
    tests: blocks,
  },
  {
    name: 'validators need not be those that the header names',
    file: consensus('light/verify.ts'),
    text: 'header.validatorsHash !== validatorsHash(set.validators)',
    planted: 'false',
    tests: blocks,
  },
  {
    name: 'a block that is vouched for may come with any validators',
    file: consensus('light/verify.ts'),
    text: 'headerHash(header) === hash && header.validatorsHash === validatorsHash(asSet(validators).validators)',
    planted: 'headerHash(header) === hash',
    tests: trusts,
  },
  {
    name: 'the hash that is vouched for is not looked at',
    file: consensus('light/verify.ts'),
    text: 'headerHash(header) === hash && header',
    planted: 'header',
    tests: trusts,
  },
  {
    name: 'another block than was asked for is taken',
    file: consensus('light/client.ts'),
    text: 'height !== this.#next',
    planted: 'false',
    tests: clients,
  },
  {
    name: 'the way goes over the block before the target',
    file: consensus('light/client.ts'),
    text: 'Math.floor((this.#trusted.height + header.height) / 2)',
    planted: 'header.height - 1',
    tests: steps,
  },
  {
    name: 'what was believed on the way is forgotten',
    file: consensus('light/client.ts'),
    text: 'this.#believed.push(candidate);',
    planted: 'this.#believed.splice(0, 1, candidate);',
    tests: clients,
  },
];

const certificateMutants: readonly Mutant[] = [
  {
    name: 'signatures are not verified',
    file: consensus('commitCertificate.ts'),
    text: 'signature.length !== 65 || !provider.verify(digest, signature, publicKey)',
    planted: 'signature.length !== 65',
    tests: blocks,
  },
  {
    name: 'a signature may be longer',
    file: consensus('commitCertificate.ts'),
    text: 'signature.length !== 65 || ',
    planted: '',
    tests: certificates,
  },
  {
    name: 'a validator may sign twice',
    file: consensus('commitCertificate.ts'),
    text: 'index <= last',
    planted: 'index < last',
    tests: blocks,
  },
  {
    name: 'who is no validator may sign',
    file: consensus('commitCertificate.ts'),
    text: "if (index === undefined) return refuse({ code: 'unknownValidator', validator });",
    planted: 'if (index === undefined) continue;',
    tests: blocks,
  },
  {
    name: 'power of the certificate is not asked for',
    file: consensus('commitCertificate.ts'),
    text: '!isQuorum(power, total)',
    planted: 'false',
    tests: blocks,
  },
  {
    name: 'a round below 0 is one',
    file: consensus('commitCertificate.ts'),
    text: 'round < 0',
    planted: 'round < -1',
    tests: blocks,
  },
];

export const consensusMutants: readonly Mutant[] = [...stepMutants, ...certificateMutants];
