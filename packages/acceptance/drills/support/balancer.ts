import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

const program = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path));

export interface Backend {
  readonly name: string;
  readonly port: number;
  readonly managementPort: number;
}

export interface Balancer extends AsyncDisposable {
  /** Removes a backend manually, or adds it again: for a release that closes as soon as it receives a stop. */
  set(backend: string, state: 'drain' | 'ready'): Promise<void>;
  /** Counts the backends that currently receive calls. */
  serving(): Promise<number>;
}

/** Starts HAProxy with its defaults, but without retries: a call that a backend refuses fails. */
export async function startBalancer(options: {
  readonly folder: string;
  readonly port: number;
  readonly backends: readonly Backend[];
}): Promise<Balancer> {
  if (program === undefined) throw new Error('This drill needs HAProxy: apt-get install haproxy');
  const socket = join(options.folder, 'haproxy.sock');
  const file = join(options.folder, 'haproxy.cfg');
  await writeFile(file, renderConfiguration({ ...options, socket }));
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  return {
    async set(backend, state) {
      const said = await sendCommand(socket, `set server gateways/${backend} state ${state}`);
      if (said !== '') throw new Error(`haproxy: ${said}`);
    },
    async serving() {
      const lines = (await sendCommand(socket, 'show stat')).split('\n');
      return lines.filter((line) => /^gateways,(first|second),.*,UP,/.test(line)).length;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function renderConfiguration(options: {
  readonly port: number;
  readonly backends: readonly Backend[];
  readonly socket: string;
}): string {
  const servers = options.backends.map(
    ({ name, port, managementPort }) =>
      `  server ${name} 127.0.0.1:${port} check port ${managementPort} inter 250ms fall 2 rise 1`,
  );
  return `global
  stats socket ${options.socket} level admin
defaults
  mode http
  retries 0
  timeout connect 10s
  timeout client 120s
  timeout server 120s
  timeout check 5s
frontend partners
  bind 127.0.0.1:${options.port}
  default_backend gateways
backend gateways
  balance roundrobin
  option httpchk GET /readyz
${servers.join('\n')}
`;
}

async function sendCommand(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  await once(connection, 'connect');
  connection.end(`${command}\n`);
  let said = '';
  for await (const part of connection) said += String(part);
  return said.trim();
}
