import type { Home } from '../setup/home.ts';
import { currentDataVersion, type StackSettings } from '../setup/settings.ts';
import { StartFailure } from '../supervision/managed-process.ts';

/** @throws StartFailure for data that nothing in these sources can read, before any of it is touched */
export function assertReadable(home: Home, { dataVersion }: Pick<StackSettings, 'dataVersion'>): void {
  if (dataVersion !== currentDataVersion) throw unreadableData(home);
}

export function unreadableData({ directory }: Pick<Home, 'directory'>): StartFailure {
  return new StartFailure(
    `The data in ${directory} was made by another state of the sources and cannot be brought up to this one. "npm run reset" removes it.`,
  );
}
