/** Values that make no sense are refused, in words that name them. */
import { describe, expect, it } from '@jest/globals';
import { type ExampleName, hasHelm, type Values, withValues } from './helm.ts';
import { validatorValues } from './values.ts';

const [first, second, ...others] = validatorValues(4);

interface Refusal {
  readonly situation: string;
  readonly values: Values;
  readonly example?: ExampleName;
  readonly release?: string;
  /** Each stands in helm's words. */
  readonly says: readonly string[];
}

const validators = (changed: Values): Values => ({ validators: [{ ...first!, ...changed }, second, ...others] });
const signer = { spki: `0x${'e'.repeat(64)}` };

const refusals: readonly Refusal[] = [
  { situation: 'a key that there is none of', values: { validatrs: [] }, says: ['validatrs'] },
  {
    situation: 'a key of a part that there is none of',
    values: { followers: { enable: true } },
    says: ['/followers', 'enable'],
  },
  {
    situation: 'a text in place of a number',
    values: { followers: { replicas: 'two' } },
    says: ['/followers/replicas', 'integer'],
  },
  {
    situation: 'no follower at all',
    values: { followers: { enabled: true, replicas: 0 } },
    says: ['/followers/replicas', '1'],
  },
  {
    situation: 'an address that YAML read as a number',
    values: validators({ address: 160 }),
    says: ['/validators/0/address', 'string'],
  },
  {
    situation: 'an address that is too short',
    values: validators({ address: '0xa0' }),
    says: ['/validators/0/address'],
  },
  { situation: 'a pin that is none', values: validators({ spki: '0xa0' }), says: ['/validators/0/spki'] },
  {
    situation: 'a validator without a name',
    values: { validators: [{ address: first!.address, spki: first!.spki }] },
    says: ['/validators/0', 'name'],
  },
  { situation: 'a name with capitals', values: validators({ name: 'V0' }), says: ['/validators/0/name'] },
  { situation: 'a name of 15 letters', values: validators({ name: 'v'.repeat(15) }), says: ['/validators/0/name'] },
  {
    situation: 'an unknown strategy',
    values: { validator: { updateStrategy: 'Recreate' } },
    says: ['/validator/updateStrategy', 'OnDelete'],
  },
  {
    situation: 'a size that is none',
    values: { validator: { storage: { size: 'big' } } },
    says: ['/validator/storage/size'],
  },
  { situation: 'an explorer without a node', values: { explorer: { enabled: true } }, says: ['/explorer/rpcUrls'] },
  {
    situation: 'a peer without a pin',
    values: { peers: [{ address: first!.address, host: 'a.example', port: 1 }] },
    says: ['/peers/0', 'spki'],
  },
  { situation: 'port 65536', values: { rpc: { service: { port: 65_536 } } }, says: ['/rpc/service/port', 'maximum'] },
  {
    situation: 'a policy for nobody in particular',
    values: { networkPolicy: { rpc: { from: [{}] } } },
    says: ['/networkPolicy/rpc/from/0'],
  },
  {
    situation: 'two validators with one name',
    values: validators({ name: 'v1', keysSecret: 'own' }),
    says: ['name v1'],
  },
  {
    situation: 'two validators with one Secret',
    values: validators({ keysSecret: 'prime-v1-keys' }),
    says: ['Secret prime-v1-keys', 'twice'],
  },
  {
    situation: 'a password that is the keys of another',
    values: validators({ passwordSecret: 'prime-v1-keys' }),
    says: ['Secret prime-v1-keys'],
  },
  {
    situation: 'a signer with the Secret of a validator',
    values: validators({ signer: { ...signer, keysSecret: 'prime-v2-keys' } }),
    says: ['Secret prime-v2-keys'],
  },
  {
    situation: 'a feeder with the Secret of a validator',
    values: { ...validators({ feeder: { keysSecret: 'prime-v0-keys' } }), feeder: { config: 'x' } },
    says: ['Secret prime-v0-keys', 'twice'],
  },
  {
    situation: 'a key of a feeder that there is none of',
    values: validators({ feeder: { key: 'owner' } }),
    says: ['/validators/0/feeder/key', 'oracle'],
  },
  {
    situation: 'feeders of nobody',
    values: { followers: { enabled: true }, peers: [], feeder: { config: 'x' } },
    says: ['feeder.config'],
  },
  {
    situation: 'two validators with one address',
    values: validators({ address: second!.address.toUpperCase().replace('X', 'x') }),
    says: [`address ${second!.address}`],
  },
  {
    situation: 'two validators with one TLS key',
    values: validators({ spki: second!.spki }),
    says: [`spki ${second!.spki}`],
  },
  {
    situation: 'a signer with the TLS key of its validator',
    values: validators({ signer: { spki: first!.spki } }),
    says: [`spki ${first!.spki}`],
  },
  {
    situation: 'keys of a signer elsewhere',
    values: validators({ signer: { ...signer, address: 's.example:26670', keysSecret: 'x' } }),
    says: ['validator v0', 'elsewhere'],
  },
  {
    situation: 'a password for a key that is in the signer',
    values: validators({ signer, passwordSecret: 'x' }),
    says: ['passwordSecret of validator v0'],
  },
  { situation: 'nothing to run', values: {}, says: ['nothing to run'] },
  {
    situation: 'no genesis',
    values: { ...validators({}), genesis: { json: '', configMap: '' } },
    says: ['genesis.json', 'genesis.configMap'],
  },
  {
    situation: 'two of them',
    values: { ...validators({}), genesis: { json: '{}', configMap: 'g' } },
    says: ['exactly one'],
  },
  {
    situation: 'a genesis that is no JSON',
    values: { ...validators({}), genesis: { json: '{', configMap: '' } },
    says: ['genesis.json is not JSON'],
  },
  {
    situation: 'fewer validators in the network than here',
    values: { ...validators({}), network: { validators: 3 } },
    says: ['network.validators is 3', '4'],
  },
  { situation: 'followers of nobody', values: { followers: { enabled: true } }, says: ['somebody to follow'] },
  {
    situation: 'more followers at least than at most',
    values: {
      ...validators({}),
      followers: { enabled: true, autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 4 } },
    },
    says: ['maxReplicas'],
  },
  {
    situation: 'a trusted height without its hash',
    values: { ...validators({}), followers: { enabled: true, sync: { trustedHeight: 1 } } },
    says: ['trustedHash'],
  },
  {
    situation: 'an address that the chart sets',
    values: { ...validators({}), config: { rpc: { listen: '0.0.0.0:1' } } },
    says: ['config.rpc.listen is set by the chart'],
  },
  {
    situation: 'peers that the chart sets',
    values: validators({ config: { p2p: { peers: [] } } }),
    says: ['validator v0', 'p2p.peers is set by the chart'],
  },
  {
    situation: 'a release with a name of 31 letters',
    values: validators({}),
    release: 'r'.repeat(31),
    says: ['31 characters', '30'],
  },
  { situation: 'a release with a dot in its name', values: validators({}), release: 'prime.one', says: ['prime.one'] },
];

(hasHelm ? describe : describe.skip)('values of the chart', () => {
  it.each(refusals)('$situation: refused', ({ values, example = null, release = 'prime', says }) => {
    const { status, stdout, stderr } = withValues({ example, values, release }, 'template');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    for (const words of says) expect(stderr).toContain(words);
  });

  it('names of 14 and 30 letters are taken: the longest name of an object stays below what Kubernetes allows', () => {
    const name = 'v'.repeat(14);
    const release = 'r'.repeat(30);
    const values = validators({ name, signer });
    const { status, stdout } = withValues({ example: null, values, release }, 'template');
    expect(status).toBe(0);
    // Kubernetes puts a hash of 11 characters behind the name of a StatefulSet, into a label of 63.
    const names = [...stdout.matchAll(/^ {2}name: (\S+)$/gm)].map(([, found]) => found!.length);
    expect(Math.max(...names)).toBe(`${release}-${name}-signer`.length);
    expect(Math.max(...names)).toBeLessThanOrEqual(52);
  });
});
