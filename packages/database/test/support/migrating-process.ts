/** Migrates in a process of its own and tells its parent which migrations it ran. */
import { type MigrateOptions, migrate } from '../../src/migrate/index.ts';
import { quiet } from './quiet.ts';

process.once('message', async (options: Omit<MigrateOptions, 'logger'>) => {
  process.send?.(await migrate({ ...options, logger: quiet }), () => process.disconnect());
});
process.send?.('ready');
