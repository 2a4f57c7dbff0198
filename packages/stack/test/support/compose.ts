import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from '@rubrica/testkit';
import { parse } from 'yaml';
import { projectRoot } from '../../src/setup/home.ts';

export interface ComposeService {
  readonly image?: string;
  readonly entrypoint?: string[];
  readonly command?: string[];
  readonly environment?: Record<string, string>;
  readonly secrets?: Array<string | { source: string; target: string }>;
  readonly depends_on?: Record<string, unknown>;
  readonly volumes?: string[];
  readonly tmpfs?: string[];
  readonly group_add?: string[];
  readonly user?: string;
  readonly network_mode?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly cap_add?: string[];
  readonly security_opt?: string[];
  readonly networks?: Record<string, unknown> | string[];
  readonly mem_limit?: string;
  readonly cpus?: number;
  readonly pids_limit?: number;
}

export interface Compose {
  readonly services: Record<string, ComposeService>;
  readonly secrets: Record<string, { file: string }>;
  readonly volumes: Record<string, unknown>;
  readonly networks: Record<
    string,
    { readonly internal?: boolean; readonly driver_opts?: Record<string, string> } | undefined
  >;
}

export const deployFolder = join(projectRoot, 'deploy');

/** A copy without the secrets of a deployment that was made there. */
export async function copyOfDeploy(): Promise<AsyncDisposable & { path: string }> {
  const scratch = await scratchDirectory('deploy');
  const filter = (one: string) => !/\/(secrets|\.env|config)$/.test(one);
  await cp(deployFolder, scratch.path, { recursive: true, filter });
  return scratch;
}

export async function readCompose(folder: string): Promise<Compose> {
  return parse(await readFile(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
}

/** What compose would read; of its quotes the single ones, within which all stands for itself. */
export async function variables(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const value = line.slice(line.indexOf('=') + 1);
      return [line.slice(0, line.indexOf('=')), /^'(.*)'$/.exec(value)?.[1] ?? value];
    }),
  );
}

/** What a container would see, where there is none: files are where `inside` says, and its address is of 127/8. */
export interface Container {
  readonly name: string;
  readonly address: string;
  readonly service: ComposeService;
  /** The text with the container's paths and addresses replaced by those of this machine. */
  inside(text: string): string;
}

/**
 * The containers of compose.yaml in `folder`, with the variables of its `.env` and `given`. Each has an address of its
 * own, all of which Linux answers on, so that ports stay as they are.
 */
export async function containers(
  folder: string,
  given: Record<string, string>,
): Promise<Map<string, Container>> {
  const values = { ...(await variables(join(folder, '.env'))), ...given };
  const compose = interpolate(await readCompose(folder), values);
  const network = `127.${1 + (process.pid % 200)}.${1 + Math.floor(Math.random() * 250)}`;
  const made = Object.entries(compose.services).map(async ([name, service], index) => {
    const address = `${network}.${index + 1}`;
    const places = await placesOf({ folder, compose, name });
    const inside = (text: string) =>
      places
        .reduce((all, [from, to]) => all.replaceAll(from, to), text)
        .replaceAll('0.0.0.0', address)
        .replaceAll('127.0.0.1', address);
    return [name, { name, address, service, inside }] as const;
  });
  return new Map(await Promise.all(made));
}

/** Where the container's paths are here, the longest first. */
async function placesOf(of: { folder: string; compose: Compose; name: string }): Promise<[string, string][]> {
  const { folder, compose, name } = of;
  const { volumes = [], secrets = [], tmpfs = [] } = compose.services[name] ?? {};
  const made = async (...path: string[]) => {
    await mkdir(join(folder, ...path), { recursive: true });
    return join(folder, ...path);
  };
  const mounted = volumes.map(async (volume): Promise<[string, string]> => {
    const [from = '', to = ''] = volume.split(':');
    return [to, from.startsWith('.') ? join(folder, from) : await made('volumes', from)];
  });
  // A container's own /tmp is any other.
  const inMemory = tmpfs
    .filter((to) => to !== '/tmp')
    .map(async (to): Promise<[string, string]> => [to, await made('tmpfs', name, to.replaceAll('/', '_'))]);
  const files = secrets.map(async (secret): Promise<[string, string]> => {
    const { source, target } = typeof secret === 'string' ? { source: secret, target: secret } : secret;
    return [`/run/secrets/${target}`, join(folder, compose.secrets[source]?.file ?? '')];
  });
  const places = await Promise.all([...mounted, ...inMemory, ...files]);
  return places.sort(([one], [other]) => other.length - one.length);
}

function interpolate<T>(value: T, values: Record<string, string>): T {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Z_]+)(:[-?])?([^}]*)\}/g, (_, name, kind, rest) => {
      const given = values[name] ?? '';
      if (given === '' && kind === ':?') throw new Error(`${name} is required: ${rest}`);
      return given === '' && kind === ':-' ? rest : given;
    }) as T;
  }
  if (Array.isArray(value)) return value.map((one) => interpolate(one, values)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, interpolate(one, values)]);
  return Object.fromEntries(entries) as T;
}

/** nats-server's configuration with the container's paths and addresses. @returns the file to start it with */
export async function natsFiles(
  container: Pick<Container, 'inside'>,
  into: string,
  file: string,
): Promise<string> {
  await mkdir(into, { recursive: true });
  for (const name of ['nats-server.conf', 'cluster.conf', 'permissions.conf']) {
    const text = await readFile(join(container.inside('/etc/nats'), name), 'utf8');
    await writeFile(join(into, name), container.inside(text));
  }
  return join(into, file);
}
