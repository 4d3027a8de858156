import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway();
});
afterAll(async () => running.gateway.close());

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
const question = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

async function ask(socket: Socket): Promise<string> {
  socket.write(question);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString().split('\r\n', 1)[0]!;
}

/** A connection, or the code with which it is refused. */
async function knock(): Promise<Socket | string> {
  const socket = connect(running.gateway.surfaces.port, '127.0.0.1');
  return once(socket, 'connect').then(
    () => socket,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

it('shut, the public surface lets nobody new in and serves who is there; then it has its port again', async () => {
  const { gateway } = running;
  const inside = (await knock()) as Socket;
  expect(await ask(inside)).toBe('HTTP/1.1 200 OK');
  const { port } = gateway.surfaces;
  gateway.surfaces.shut();
  gateway.surfaces.shut();
  expect(await knock()).toBe('ECONNREFUSED');
  expect(await ask(inside)).toBe('HTTP/1.1 200 OK');
  await gateway.surfaces.letIn();
  await gateway.surfaces.letIn();
  expect(gateway.surfaces.port).toBe(port);
  const next = (await knock()) as Socket;
  expect(await ask(next)).toBe('HTTP/1.1 200 OK');
  for (const socket of [inside, next]) socket.destroy();
  await gateway.close();
  await gateway.surfaces.letIn();
  expect(await knock()).toBe('ECONNREFUSED');
});
