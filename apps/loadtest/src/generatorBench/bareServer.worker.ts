import { loadUws } from '@prime/gateway';

/**
 * A server that does as little as one can: reads the body of a request and answers the same bytes always; over a WebSocket with the id of the request,
 * which stands where clients put it. Sends its port when it listens.
 */
const { library } = loadUws();
const answer = '{"jsonrpc":"2.0","id":1000000,"result":"0x1"}';
/** And the comma behind it. */
const idDigitsMax = 17;
const [idAt, idEnd] = [answer.indexOf('1000000'), answer.indexOf(',"result"')];

library
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
  })
  .listen('127.0.0.1', 0, (socket) => {
    // What the typings do not say: false where no port is free.
    if (socket === (false as never)) throw new Error('no port is free');
    process.send!(library.us_socket_local_port(socket));
  });
process.once('disconnect', () => process.exit(0));
