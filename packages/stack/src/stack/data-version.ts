import type { Home } from '../setup/home.ts';
import { currentDataVersion, type StackSettings } from '../setup/settings.ts';
import { StartFailure } from '../supervision/managed-process.ts';

/**
 * Throws, before the data are changed, if these sources cannot read them.
 * @throws StartFailure
 */
export function assertReadable(home: Home, { dataVersion }: Pick<StackSettings, 'dataVersion'>): void {
  if (dataVersion !== currentDataVersion) throw unreadableData(home);
}

export function unreadableData({ directory }: Pick<Home, 'directory'>): StartFailure {
  return new StartFailure(
    `The data in ${directory} was made by another state of the sources and cannot be brought up to this one. "npm run reset" removes it.`,
  );
}
