import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

/** What nats-server does with whoever comes. */
interface Reception {
  readonly isIn: boolean;
  /** Of the server's certificate, as hexadecimal. */
  readonly serial: string;
}

export interface Door {
  readonly host: string;
  readonly port: number;
  /** For servers of a cluster, where TLS comes first; services are told in clear what is wanted. */
  readonly isRoute?: boolean;
}

/**
 * Speaks TLS with nats-server as any program can. Whoever it refuses hears so only after the handshake (TLS 1.3), so
 * this speaks and waits for an answer or the end.
 */
export async function knock({ isRoute = false, ...at }: Door, shown: ConnectionOptions): Promise<Reception> {
  const plain = connectSocket(at);
  plain.on('error', () => undefined);
  await once(plain, isRoute ? 'connect' : 'data');
  const socket = connect({ ...shown, socket: plain });
  const isIn = await answers(socket);
  const serial = socket.getPeerCertificate()?.serialNumber ?? '';
  socket.destroy();
  plain.destroy();
  return { isIn, serial };
}

function answers(socket: TLSSocket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('secureConnect', () => void socket.write('PING\r\n'));
  });
}
