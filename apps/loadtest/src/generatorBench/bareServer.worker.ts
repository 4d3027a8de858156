import { loadUws } from '@prime/gateway';
import { serveParent } from '../ownServer.ts';

/**
 * A server that does as little as one can: reads the body of a request and answers the same bytes always; over a WebSocket with the id of the request,
 * which stands where clients put it. Sends its port when it listens.
 */
const { library } = loadUws();
const answer = '{"jsonrpc":"2.0","id":1000000,"result":"0x1"}';
/** And the comma behind it. */
const idDigitsMax = 17;
const [idAt, idEnd] = [answer.indexOf('1000000'), answer.indexOf(',"result"')];

const app = library
  .App()
  .post('/*', (response) => {
    response.onAborted(() => undefined);
    response.onData((_chunk, isLast) => {
      if (isLast) response.end(answer);
    });
  })
  .ws('/*', {
    message: (socket, message) => {
      const text = Buffer.from(message).toString('latin1', idAt, idAt + idDigitsMax);
      socket.send(`${answer.slice(0, idAt)}${text.slice(0, text.indexOf(','))}${answer.slice(idEnd)}`);
    },
  });
serveParent(library, app);
