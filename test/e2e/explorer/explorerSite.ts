import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Pages that ask a node as the explorer's do, and nothing else: the smallest site that `prime explorer` serves. */

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>pages of a test</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/style-aaaaaaaa.css">
<script type="module" src="/assets/app-bbbbbbbb.js"></script>
<script>globalThis.inlineRan = true;</script>
<p id="head"></p>
</html>
`;

/** Asks over HTTP and WebSocket, and writes what it got into the page. */
const script = `
const { rpc } = await (await fetch('/config.json')).json();
const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
globalThis.askHttp = async (url) => {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) });
  return (await answer.json()).result;
};
globalThis.askSocket = (url) => new Promise((resolve, reject) => {
  const socket = new WebSocket(url);
  socket.onopen = () => socket.send(JSON.stringify(call));
  socket.onmessage = ({ data }) => resolve(JSON.parse(data).result);
  socket.onerror = () => reject(new Error('no connection'));
});
const answers = [await askHttp(rpc), await askSocket(rpc.replace(/^http/, 'ws'))];
document.querySelector('#head').textContent = answers.join(' ');
`;

/** Writes them into a folder. @returns the folder */
export async function writeSite(folder: string): Promise<string> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(
    join(folder, 'assets', 'style-aaaaaaaa.css'),
    `p { color: rgb(1, 2, 3); }\n/* ${'.'.repeat(2_000)} */`,
  );
  await writeFile(join(folder, 'assets', 'app-bbbbbbbb.js'), script);
  return folder;
}
