import { scratchDirectory } from './scratch.ts';
import { databasesAt, type TestDatabases } from './test-databases.ts';
import { atPort, testPooler } from './test-pooler.ts';
import { testPostgres } from './test-postgres.ts';

export interface SharedPostgres extends TestDatabases {
  /** Gone with the server: for what is made once and copied for each file. */
  readonly folder: string;
  /** Where `RUBRICA_TEST_POOLER` asks for PgBouncer before it: the same address through that. */
  through?(url: string): string;
}

/** Under this name Vitest's main process tells its workers where the server is. */
const variable = 'TEST_POSTGRES';

/** Vitest's `globalSetup`: one PostgreSQL for all files of a workspace, each with databases of its own. */
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

/** The server of this run, which no test may kill or change; undefined where the workspace has not asked for one. */
export function sharedPostgres(): SharedPostgres | undefined {
  const told = process.env[variable];
  if (told === undefined) return undefined;
  const { port, folder, poolerPort } = JSON.parse(told) as {
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

/** For a file that only needs databases: the server of this run, else one of its own. */
export async function someDatabases(): Promise<TestDatabases & AsyncDisposable> {
  const found = sharedPostgres();
  if (found === undefined) return testPostgres();
  return { ...found, [Symbol.asyncDispose]: async () => undefined };
}
