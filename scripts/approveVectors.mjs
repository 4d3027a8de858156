/**
 * Writes everything anew that tests compare with and that this code makes: the vectors of packages/*\/testdata with their encodings, hashes and
 * signatures, and the hashes of recorded runs. Every other run only compares, so a change of an encoding is an act of its own
 * (`npm run vectors:approve`) and shows in the commit.
 *
 * What stays: the values that vectors are about, and recordings of other programs (packages/evm/testdata/traces.json, see packages/evm/scripts).
 * Needs a built repository.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const built = (path) => import(pathToFileURL(join(root, path)).href);

const { bytesToHex, hexToBytes, parseAddress } = await built('packages/primitives/dist/index.js');
const { cryptoProvider, keccakHex, publicKeyToAddress } = await built('packages/crypto/dist/index.js');
const codec = await built('packages/codec/dist/index.js');
const provider = await cryptoProvider();

/** Signs what has to be signed again. */
const testKey = new Uint8Array(32).fill(0x42);

/** Fields that are big integers (decimal text in the files) and those that are bytes (hex), in whatever value they stand. */
const bigints = new Set(
  (
    'gasLimit baseFee gasUsed stake power proposerPriority price size amount tickSize lotSize initialBaseFee minNotional impactNotional ' +
    'balance minStake aboveNotional tick_size lot_size fees fee remaining collateral taker_fee maker_fee insurance treasury index change ' +
    'average reference insurance_paid value median debt yes_power total_power settlement_price openInterestMax positionMax orderNotionalMax sliceNotionalMin ' +
    'triggerPrice limitPrice trigger_price limit_price mark_price entry'
  ).split(' '),
);
const bytes = new Set(['transactions', 'actions', 'signature', 'publicKey', 'proof', 'code']);

/** The value of a vector as the codec takes it. */
function revived(value, name = '') {
  if (Array.isArray(value)) return value.map((entry) => revived(entry, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, revived(entry, key)]));
  if (typeof value !== 'string') return value;
  if (bigints.has(name) && /^-?\d+$/.test(value)) return BigInt(value);
  return bytes.has(name) && value.startsWith('0x') ? hexToBytes(value) : value;
}

const asJson = (value) =>
  JSON.parse(
    JSON.stringify(value, (_key, entry) =>
      typeof entry === 'bigint' ? entry.toString() : ArrayBuffer.isView(entry) ? bytesToHex(entry) : entry,
    ),
  );

/** A signature over a digest that is right: the one that is there, else one of the test key. */
function signed(value, digest, publicKey) {
  if (provider.verify(digest, value.signature, publicKey)) return { value, publicKey };
  return { value: { ...value, signature: provider.sign(digest, testKey) }, publicKey: provider.publicKey(testKey) };
}

/** Votes and proposals. */
function signedMessage(vector, encode, signBytes, signDigest) {
  const { chainId, genesisHash } = vector;
  const plain = revived(vector.value);
  const digest = signDigest(chainId, genesisHash, plain);
  const { value, publicKey } = signed(plain, digest, hexToBytes(vector.publicKey));
  return {
    value: asJson(value),
    encoded: bytesToHex(encode(value)),
    signBytes: bytesToHex(signBytes(chainId, genesisHash, value)),
    digest: bytesToHex(digest),
    publicKey: bytesToHex(publicKey),
  };
}

function transaction(vector, digestOf) {
  let value = revived(vector.value);
  const digest = digestOf(value);
  const signerOf = () =>
    codec.verifyNativeTransaction(codec.encodeNativeTransaction(value), value.chainId, provider).signer;
  let signer = null;
  try {
    signer = signerOf();
  } catch {
    // Refused as it stands, as by an account that no longer matches its key.
  }
  if (signer !== vector.signer) {
    const account = value.signatureKind === 'gateway' ? value.account : publicKeyToAddress(provider.publicKey(testKey));
    value = { ...value, account };
    value = { ...value, signature: provider.sign(digestOf(value), testKey) };
    signer = signerOf();
  }
  const raw = codec.encodeNativeTransaction(value);
  const made = { value: asJson(value), encoded: bytesToHex(raw), hash: codec.nativeTransactionHash(raw) };
  return { ...made, digest: bytesToHex(digest === null ? digest : digestOf(value)), signer };
}

const hashed = (encode, hashOf) => (vector) => {
  const value = revived(vector.value);
  return { encoded: bytesToHex(encode(value)), hash: hashOf(value) };
};

/** What each file of packages/codec/testdata says about a value. */
const makers = {
  header: hashed(codec.encodeHeader, codec.headerHash),
  block: ({ value: json }) => {
    const given = revived(json);
    const hashes = { transactionHashes: given.transactions.map(keccakHex), actionHashes: given.actions.map(keccakHex) };
    const header = {
      ...given.header,
      bodyRoot: codec.bodyRoot(hashes.transactionHashes, hashes.actionHashes),
      lastCommitHash: codec.lastCommitHash(given.lastCommit),
      evidenceHash: codec.evidenceHash(given.evidence),
    };
    const value = { ...given, header };
    return {
      value: asJson(value),
      encoded: bytesToHex(codec.encodeBlock(value)),
      hash: codec.headerHash(header),
      ...hashes,
    };
  },
  vote: (vector) => signedMessage(vector, codec.encodeVote, codec.voteSignBytes, codec.voteSignDigest),
  proposal: (vector) => signedMessage(vector, codec.encodeProposal, codec.proposalSignBytes, codec.proposalSignDigest),
  certificate: (vector) => ({
    ...hashed(codec.encodeCommitCertificate, codec.lastCommitHash)(vector),
    emptyHash: codec.lastCommitHash(null),
  }),
  evidence: ({ value: json }) => {
    const value = revived(json);
    return { encoded: bytesToHex(codec.encodeEvidence(value)), listHash: codec.evidenceHash([value]) };
  },
  validators: hashed(codec.encodeValidatorSet, ({ validators }) => codec.validatorsHash(validators)),
  nativeTransaction: (vector) => transaction(vector, codec.nativeSigningDigest),
  typedData: (vector) => ({
    ...transaction(vector, codec.typedDataDigest),
    type: codec.typedDataTypeString(vector.value.payload.type),
    message: asJson(codec.typedDataOf(revived(vector.value)).message),
  }),
  genesis: hashed(codec.encodeGenesis, codec.genesisHash),
  events: (vector, all) => {
    const events = all.filter(({ value }) => value !== undefined).map(({ value }) => revived(value));
    if (vector.value === undefined) {
      const root = (of) => codec.eventsRoot(codec.encodeEventFrames(of));
      return { root: root(events), emptyRoot: root([]) };
    }
    const event = revived(vector.value);
    return { encoded: bytesToHex(codec.encodeEvent(event)), json: codec.eventToJson(event).data };
  },
};

/** Leaves and root of records of the order book. */
async function ordersRoot({ name, records }) {
  const { RecordTrie } = await built('packages/clob/dist/records/recordTrie.js');
  const { StoredRecords } = await built('packages/clob/dist/records/storedRecords.js');
  const { loadTrie } = await built('packages/clob/dist/records/loading.js');
  const [stored, trie, leaves] = [new StoredRecords(), new RecordTrie(), new Map()];
  for (const [key, value] of records) {
    stored.add(hexToBytes(key), hexToBytes(value));
    const leaf = bytesToHex(codec.leafKeyOf(hexToBytes(key)));
    leaves.set(leaf, [...(leaves.get(leaf) ?? []), hexToBytes(value)]);
  }
  loadTrie(trie, stored);
  const isPage = (key) => key.startsWith('0x02');
  const valueOf = (key, values) => bytesToHex(isPage(key) ? codec.encodeOrderPage(values) : values[0]);
  return { name, records, leaves: [...leaves].map(([key, values]) => [key, valueOf(key, values)]), root: trie.root() };
}

/** Proposers of 1000 rounds. */
async function rotation({ name, validators }) {
  const { createProposerSchedule, createValidatorSet } = await built('packages/consensus/dist/index.js');
  const set = validators.map(({ address, power, priority }, index) => ({
    address: parseAddress(address),
    signer: parseAddress(`0x${(index + 1).toString(16).padStart(2, '0')}${'0'.repeat(38)}`),
    publicKey: new Uint8Array(33),
    stake: BigInt(power),
    power: BigInt(power),
    moniker: `v${index}`,
    proposerPriority: BigInt(priority),
  }));
  const schedule = createProposerSchedule(createValidatorSet(set));
  const placeOf = new Map(set.map(({ address }, index) => [address, index]));
  return {
    name,
    validators,
    proposers: Array.from({ length: 1000 }, (_, round) => placeOf.get(schedule.proposer(round))),
  };
}

async function checksum(vector) {
  const { bookChecksum } = await built('packages/gateway/dist/streams/bookChecksum.js');
  const side = (levels) => levels.map(({ price, size }) => ({ price: BigInt(price), size: BigInt(size) }));
  return { ...vector, checksum: bookChecksum({ bids: side(vector.bids).reverse(), asks: side(vector.asks) }) };
}

async function signerMessages() {
  const { encodeSignerMessage } = await built('packages/network/dist/signer/messages.js');
  const { signerMessages: all } = await built('packages/network/dist/testing/signerMessages.js');
  return all.map((message) => ({ kind: message.kind, frame: bytesToHex(encodeSignerMessage(message)) }));
}

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Writes a file when it says something else than before, in the form in which it was. @param indent of the file, or one line per entry */
function approve(path, content, indent = 2) {
  let before = null;
  try {
    before = read(path);
  } catch {
    // A new one.
  }
  if (JSON.stringify(before) === JSON.stringify(content)) return;
  const text =
    indent === 'lines'
      ? `[\n${content.map((entry) => ` ${JSON.stringify(entry)}`).join(',\n')}\n]`
      : JSON.stringify(content, null, indent);
  writeFileSync(join(root, path), `${text}\n`);
  process.stdout.write(`${path}\n`);
}

const inOrder = (entries, make) => Promise.all(entries.map((entry) => make(entry)));

for (const [name, make] of Object.entries(makers)) {
  const path = `packages/codec/testdata/${name}.json`;
  const { description, vectors } = read(path);
  approve(path, { description, vectors: vectors.map((vector) => ({ ...vector, ...make(vector, vectors) })) });
}
const [orders, golden, books] = [
  'packages/clob/testdata/orders-root.json',
  'packages/consensus/testdata/proposerRotation.json',
  'packages/gateway/testdata/bookChecksum.json',
];
approve(orders, await inOrder(read(orders), ordersRoot));
approve(golden, await inOrder(read(golden), rotation), 'lines');
approve(books, await inOrder(read(books), checksum), 1);
approve('packages/network/testdata/signer.json', await signerMessages());
const { runDefaultNetwork } = await built('packages/clob/dist/testing/defaultNetwork.js');
approve('packages/clob/testdata/defaultNetwork.json', runDefaultNetwork());
