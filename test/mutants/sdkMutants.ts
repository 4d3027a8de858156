import type { Mutant } from './mutant.ts';

/** Of what light clients believe, the proofs of the codec, and what the SDK makes of them and of the steps of consensus. */

const sdk = (file: string): string => `packages/sdk/src/${file}`;
const codec = (file: string): string => `packages/codec/src/${file}`;
const blocks = [sdk('light/verifyBlock.test.ts')];
const trusts = [sdk('light/trust.test.ts')];
const records = [sdk('light/verifyRecord.test.ts')];
const clients = [sdk('light/createLightClient.test.ts')];
const steps = [consensus('light/light.test.ts')];
const certificates = [consensus('commitCertificate.test.ts')];
const proofs = [codec('proofs/recordProof.test.ts')];

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
    tests: blocks,
  },
  {
    name: 'the hash that is vouched for is not looked at',
    file: consensus('light/verify.ts'),
    text: 'headerHash(header) === hash && header',
    planted: 'header',
    tests: blocks,
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

const clientMutants: readonly Mutant[] = [
  {
    name: 'a trust that expires now has not expired',
    file: sdk('light/verification.ts'),
    text: 'expiredAtMs <= nowMs',
    planted: 'expiredAtMs < nowMs',
    tests: blocks,
  },
  {
    name: 'an expired trust is taken by default',
    file: sdk('light/verification.ts'),
    text: "expiredTrust = 'refuse'",
    planted: "expiredTrust = 'quorum'",
    tests: blocks,
  },
  {
    name: 'trust without a period ends at once',
    file: sdk('light/verification.ts'),
    text: 'trust.trustingPeriodMs ?? Number.POSITIVE_INFINITY',
    planted: 'trust.trustingPeriodMs ?? 0',
    tests: blocks,
  },
  {
    name: 'the trusted block proves itself',
    file: sdk('light/verifyBlock.ts'),
    text: 'height <= trusted.height',
    planted: 'height < trusted.height',
    tests: blocks,
  },
  {
    name: 'blocks on the way are not believed before the last',
    file: sdk('light/verifyBlock.ts'),
    text: 'trusted = verdict.trust;',
    planted: 'trusted = trusted;',
    tests: blocks,
  },
  {
    name: 'genesis of another hash is taken',
    file: sdk('light/trust.ts'),
    text: 'hash !== undefined && hash !== genesisHash',
    planted: 'hash !== undefined && hash === undefined',
    tests: trusts,
  },
  {
    name: 'the trusting period is none where the network has one',
    file: sdk('light/trust.ts'),
    text: 'trustingPeriodMs ?? chain.staking?.unbondingMs ?? null',
    planted: 'trustingPeriodMs ?? null',
    tests: blocks,
  },
  {
    name: 'a block of another chain is vouched for',
    file: sdk('light/trust.ts'),
    text: 'header.chainId !== network.chainId',
    planted: 'false',
    tests: trusts,
  },
  {
    name: 'a header may be of another height than the answer says',
    file: sdk('light/lightBlock.ts'),
    text: 'BigInt(height) !== commit.height',
    planted: 'false',
    tests: blocks,
  },
  {
    name: 'of any number of validators each is looked at',
    file: sdk('light/lightBlock.ts'),
    text: '> validatorsMax',
    planted: '> 100 * validatorsMax',
    tests: blocks,
  },
  {
    name: 'a kept trust of another format is read',
    file: sdk('light/chainTrust.ts'),
    text: 'trust.format !== 1',
    planted: 'false',
    tests: trusts,
  },
  {
    name: 'a kept trust without validators is one',
    file: sdk('light/chainTrust.ts'),
    text: 'trust.validators.length === 0',
    planted: 'false',
    tests: trusts,
  },
  {
    name: 'a proof of the block itself is of the one before',
    file: sdk('light/verifyRecord.ts'),
    text: 'const blockNumber = block.number - 1n;',
    planted: 'const blockNumber = block.number;',
    tests: records,
  },
  {
    name: 'a proof of any block is of the one before',
    file: sdk('light/verifyRecord.ts'),
    text: 'proof.blockNumber !== blockNumber',
    planted: 'false',
    tests: records,
  },
  {
    name: 'absent levels are proven where none is a record',
    file: sdk('light/verifyRecord.ts'),
    text: 'if (trust.levelProofs) return;',
    planted: 'return;',
    tests: records,
  },
  {
    name: 'a proof that does not lead there shows absence',
    file: sdk('light/verifyRecord.ts'),
    text: "shown.status === 'invalid'",
    planted: 'false',
    tests: records,
  },
  {
    name: 'a proof from before is new enough',
    file: sdk('light/createLightClient.ts'),
    text: 'proof.blockNumber >= minBlockNumber',
    planted: 'proof.blockNumber >= minBlockNumber - 1n',
    tests: clients,
  },
  {
    name: 'the newest block that was verified may be an older one',
    file: sdk('light/createLightClient.ts'),
    text: 'verified.number > newest.number',
    planted: 'verified.number < newest.number',
    tests: clients,
  },
  {
    name: 'a client that began with genesis goes back to it',
    file: sdk('light/createLightClient.ts'),
    text: 'newest !== null && newest.number < blockNumber ? newest.trust : start',
    planted: 'start',
    tests: clients,
  },
];

const proofMutants: readonly Mutant[] = [
  {
    name: 'a node may stand at the depth of the one above',
    file: codec('proofs/recordProof.ts'),
    text: 'depth <= above',
    planted: 'depth < above',
    tests: proofs,
  },
  {
    name: 'a depth may have more bits than are hashed',
    file: codec('proofs/recordProof.ts'),
    text: 'depth > depthMax',
    planted: 'depth > 2 * depthMax + 1',
    tests: proofs,
  },
  {
    name: 'a way that ends at something shows absence',
    file: codec('proofs/recordProof.ts'),
    text: "expected.every((byte) => byte === 0) ? 'absent' : null",
    planted: "'absent'",
    tests: records,
  },
  {
    name: 'a leaf of another key shows the record',
    file: codec('proofs/recordProof.ts'),
    text: "bytesEqual(record.key, key) ? 'present' : 'absent'",
    planted: "'present'",
    tests: records,
  },
  {
    name: 'a leaf need not have the hash that its parent names',
    file: codec('proofs/recordProof.ts'),
    text: '!bytesEqual(leafHash(record.key, record.value), expected)',
    planted: 'false',
    tests: records,
  },
  {
    name: 'a node need not have the hash that its parent names',
    file: codec('proofs/recordProof.ts'),
    text: '!bytesEqual(nodeHash(depth, children), expected)',
    planted: 'false',
    tests: records,
  },
  {
    name: 'the storage root of the account is its code',
    file: codec('proofs/ordersProof.ts'),
    text: 'fieldOf(account.value, 2)',
    planted: 'fieldOf(account.value, 3)',
    tests: records,
  },
  {
    name: 'a slot that is absent is a root of nothing',
    file: codec('proofs/ordersProof.ts'),
    text: "if (slot.status !== 'present') return invalid;",
    planted: "if (slot.status !== 'present') return { status: 'absent' };",
    tests: records,
  },
  {
    name: 'nodes behind the end of a proof are passed over',
    file: codec('proofs/trieProof.ts'),
    text: "if ('status' in step) return used === nodes.length ? step : invalid;",
    planted: "if ('status' in step) return step;",
    tests: records,
  },
];

export const sdkMutants: readonly Mutant[] = [...clientMutants, ...proofMutants];
