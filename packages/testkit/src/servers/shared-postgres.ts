import { scratchDirectory } from './scratch.ts';
import { databasesAt, type TestDatabases } from './test-databases.ts';
import { atPort, testPooler } from './test-pooler.ts';
import { testPostgres } from './test-postgres.ts';

export interface SharedPostgres extends TestDatabases {
  /** Folder that ends with the server, for files that are created once and copied for each test file. */
  readonly folder: string;
  /** Returns the same address through PgBouncer, if `RUBRICA_TEST_POOLER` requests one. */
  through?(url: string): string;
}

/** Variable by which Vitest's main process passes the server's address to its workers. */
const variable = 'TEST_POSTGRES';

/** Starts, as Vitest's `globalSetup`, one PostgreSQL for all files of a workspace, each with its own databases. */
export default async function setup(): Promise<() => Promise<void>> {
  await using owned = new AsyncDisposableStack();
  const postgres = owned.use(await testPostgres());
  const { path } = owned.use(await scratchDirectory('shared'));
  const pooler = process.env.RUBRICA_TEST_POOLER ? owned.use(await testPooler(postgres.port)) : undefined;
  const poolerPort = pooler?.port;
  process.env[variable] = JSON.stringify({ port: postgres.port, folder: path, poolerPort });
  const held = owned.move();
  return () => held.disposeAsync();
}

let shared: SharedPostgres | undefined;

/**
 * Returns the server of this run, which no test may kill or change; undefined if the workspace has not requested one.
 */
export function sharedPostgres(): SharedPostgres | undefined {
  const serialized = process.env[variable];
  if (serialized === undefined) return undefined;
  const { port, folder, poolerPort } = JSON.parse(serialized) as {
    port: number;
    folder: string;
    poolerPort?: number;
  };
  shared ??= {
    folder,
    ...databasesAt(port),
    ...(poolerPort !== undefined && { through: (url: string) => atPort(url, poolerPort) }),
  };
  return shared;
}

/** Returns the server of this run, else a separate one, for a file that only needs databases. */
export async function acquireDatabases(): Promise<TestDatabases & AsyncDisposable> {
  const found = sharedPostgres();
  if (found === undefined) return testPostgres();
  return { ...found, [Symbol.asyncDispose]: async () => undefined };
}
