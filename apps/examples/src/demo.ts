import { runStory } from './story.ts';

/** `npm run demo [-- URL …]`: the story of the README against a running network. */
const urls = process.argv.slice(2);
const defaultUrls = [8545, 8546, 8547, 8548].map((port) => `http://127.0.0.1:${port}`);
try {
  await runStory({ rpcUrls: urls.length > 0 ? urls : defaultUrls, log: (line) => console.log(line) });
} catch (error) {
  // viem's messages go on with the whole request.
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  console.error(`demo failed: ${reason}`);
  console.error('Is the network running? Start it with `npm start`.');
  process.exitCode = 1;
}
