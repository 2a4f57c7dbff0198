import { once } from 'node:events';
import { connect } from 'node:net';

/** Speaks NATS' protocol as text, for bytes that no client library would send. */
export async function rawClient(port: number) {
  const socket = connect({ host: '127.0.0.1', port });
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
    if (data.includes('PING\r\n')) socket.write('PONG\r\n');
  });
  await once(socket, 'data');
  socket.write('CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true}\r\n');
  return {
    subscribe: (subject: string) => socket.write(`SUB ${subject} 1\r\n`),
    publish(message: { subject: string; reply: string; headers: Buffer; data: Buffer }) {
      const { subject, reply, headers, data } = message;
      socket.write(`HPUB ${subject} ${reply} ${headers.length} ${headers.length + data.length}\r\n`);
      socket.write(Buffer.concat([headers, data, Buffer.from('\r\n')]));
    },
    received: () => received,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
