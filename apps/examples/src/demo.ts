import { parseArgs } from 'node:util';
import { checkNetwork, defaultNetworkFolder, genesisHashOf, type LocalNetwork, readLocalNetwork } from './network.ts';
import { reasonOf } from './reason.ts';
import { runStory } from './story.ts';

const help = `npm run demo [-- --network FOLDER | URL ...]

Deploys an ERC-20, trades on a new market, and compares all nodes of a running network.

  --network FOLDER  the network that npm start keeps there (default: ${defaultNetworkFolder})
  URL ...           JSON-RPC of the nodes of any other test network; writes go to the first one`;

/** The nodes that the command line names: of the network that runs here, where it names none. */
async function networkOf(args: readonly string[]): Promise<LocalNetwork | null> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { network: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return null;
  const [first] = positionals;
  if (first === undefined) return readLocalNetwork(values.network ?? defaultNetworkFolder);
  if (values.network !== undefined) throw new Error('give either --network or URLs');
  if (!URL.canParse(first)) throw new Error(`${first} is no URL of a node, such as http://127.0.0.1:8545`);
  const genesisHash = await genesisHashOf(first).catch(() => {
    throw new Error(`no node answers at ${first}`);
  });
  return { rpcUrls: positionals, genesisHash };
}

try {
  const network = await networkOf(process.argv.slice(2));
  if (network === null) console.log(help);
  else {
    await checkNetwork(network);
    await runStory({ rpcUrls: network.rpcUrls, log: (line) => console.log(line) });
  }
} catch (error) {
  console.error(`demo failed: ${reasonOf(error)}`);
  process.exitCode = 1;
}
