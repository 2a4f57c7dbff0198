import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import koffi from 'koffi';

/** By Node's own modules, or by native code, which Node's permission model does not bind. */
export type Attack =
  | { readonly kind: 'connect'; readonly to: { readonly port: number } | { readonly path: string } }
  | { readonly kind: 'resolve'; readonly host: string }
  | { readonly kind: 'read' | 'write'; readonly path: string }
  | { readonly kind: 'environment' | 'start' }
  | NativeAttack;

type NativeAttack =
  | { readonly kind: 'native read' | 'native write'; readonly path: string }
  | { readonly kind: 'native start' }
  | { readonly kind: 'native connect'; readonly port: number }
  | { readonly kind: 'native signal'; readonly pid: number };

/** @returns `done: …` with what was won, or `refused: …` */
export async function runAttack(attack: Attack): Promise<string> {
  try {
    return `done: ${await attempt(attack)}`;
  } catch (error) {
    return `refused: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
  }
}

async function attempt(attack: Attack): Promise<string> {
  switch (attack.kind) {
    case 'connect': {
      const socket = connect(attack.to as NetConnectOpts);
      await once(socket, 'connect');
      socket.destroy();
      return 'connected';
    }
    case 'resolve':
      return (await lookup(attack.host)).address;
    case 'read':
      return readFileSync(attack.path, 'latin1').slice(0, 100);
    case 'write':
      writeFileSync(attack.path, 'x');
      return 'written';
    case 'environment':
      return Object.keys(process.env).sort().join();
    case 'start':
      return String(orThrow(spawnSync(process.execPath, ['--version'])).stdout);
    default:
      return attemptNatively(attack);
  }
}

const O_RDONLY = 0;
const O_WRONLY_CREAT = 0o101;
const AF_INET = 2;
const SOCK_STREAM = 1;

function attemptNatively(attack: NativeAttack): string {
  const c = loadC();
  switch (attack.kind) {
    case 'native read': {
      const file = checked(c.open(attack.path, O_RDONLY, 0));
      const bytes = Buffer.alloc(100);
      return bytes.subarray(0, checked(c.read(file, bytes, bytes.length))).toString('latin1');
    }
    case 'native write': {
      const file = checked(c.open(attack.path, O_WRONLY_CREAT, 0o600));
      return `${checked(c.write(file, Buffer.from('x'), 1))} byte`;
    }
    case 'native start': {
      const status = c.system('exit 7') >> 8;
      if (status !== 7) throw new Error(`status ${status}`);
      return 'started';
    }
    case 'native signal':
      checked(c.kill(attack.pid, 0));
      return 'signalled';
    case 'native connect': {
      const socket = checked(c.socket(AF_INET, SOCK_STREAM, 0));
      checked(c.connect(socket, loopback(attack.port), 16));
      return 'connected';
    }
  }
}

/** sockaddr_in of 127.0.0.1. */
function loopback(port: number): Buffer {
  const address = Buffer.alloc(16);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);
  return address;
}

function loadC() {
  const c = koffi.load('libc.so.6');
  return {
    open: c.func('int open(const char *, int, int)'),
    read: c.func('intptr_t read(int, void *, intptr_t)'),
    write: c.func('intptr_t write(int, void *, intptr_t)'),
    system: c.func('int system(const char *)'),
    kill: c.func('int kill(int, int)'),
    socket: c.func('int socket(int, int, int)'),
    connect: c.func('int connect(int, void *, int)'),
  };
}

function checked(result: number | bigint): number {
  if (Number(result) >= 0) return Number(result);
  const [name = koffi.errno()] =
    Object.entries(koffi.os.errno).find(([, value]) => value === koffi.errno()) ?? [];
  throw Object.assign(new Error('failed'), { code: String(name) });
}

function orThrow<Result extends { readonly error?: Error }>(result: Result): Result {
  if (result.error !== undefined) throw result.error;
  return result;
}
