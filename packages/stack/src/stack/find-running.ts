import { readJson } from '../setup/files.ts';
import { defaultHome, homeAt } from '../setup/home.ts';
import { findSupervisor } from '../supervision/run-record.ts';
import type { StackInfo } from './stack-info.ts';

/** Finds the stack that runs in the data folder, once all its services are ready. */
export async function findRunning(env: NodeJS.ProcessEnv): Promise<StackInfo | undefined> {
  const home = homeAt(defaultHome(env));
  if ((await findSupervisor(home)) === undefined) return undefined;
  return readJson<StackInfo>(home.infoFile);
}
