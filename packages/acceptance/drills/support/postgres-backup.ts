import { execFile } from 'node:child_process';
import { chown, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { postgresAccount } from '@rubrica/testkit/postgres';
import { Client } from 'pg';
import { until } from '../../e2e/support/poll.ts';

const run = promisify(execFile);
const scripts = resolve(import.meta.dirname, '../../../../deploy/backup');

/** Folders for the copies of one PostgreSQL: its base backup, and its WAL archive. */
export interface PostgresBackup {
  readonly base: string;
  readonly archive: string;
}

/** Creates two folders that PostgreSQL's own user may write. */
export async function backupFolders(folder: string): Promise<PostgresBackup> {
  const backup = { base: join(folder, 'base'), archive: join(folder, 'wal') };
  for (const path of Object.values(backup)) {
    await mkdir(path, { mode: 0o700 });
    await giveToPostgres(path);
  }
  // PostgreSQL's user may be unable to enter the checkout.
  for (const script of ['archive-wal.sh', 'restore-wal.sh']) {
    await cp(join(scripts, script), join(folder, script));
  }
  return backup;
}

/** Enables archiving, which takes effect with the next start. */
export async function archiveWal(client: Client, folder: string, { archive }: PostgresBackup): Promise<void> {
  await client.query("alter system set archive_mode = 'on'");
  const command = `sh ${join(folder, 'archive-wal.sh')} %p ${archive} %f`;
  await client.query(`alter system set archive_command = '${command}'`);
}

/**
 * Takes a base backup with the functions that `pg_basebackup` uses: the npm package contains PostgreSQL without its
 * client programs.
 */
export async function takeBaseBackup(
  databaseUrl: string,
  { base }: Pick<PostgresBackup, 'base'>,
): Promise<void> {
  await withSuperuser(databaseUrl, async (client) => {
    const { rows } = await client.query('show data_directory');
    // The session that begins the backup must end it, so that PostgreSQL can detect an interruption.
    await client.query("select pg_backup_start('drill', true)");
    await copyWhileWritten(rows[0].data_directory, base);
    const { rows: ends } = await client.query('select labelfile from pg_backup_stop()');
    await writeFile(join(base, 'backup_label'), ends[0].labelfile);
  });
  await mkdir(join(base, 'pg_wal', 'archive_status'), { recursive: true });
  await giveToPostgres(base);
}

/**
 * Copies a folder that is being written. A file that vanishes meanwhile is in the WAL: code 24 of rsync, and no reason
 * to stop for `cp` either.
 */
async function copyWhileWritten(from: string, to: string): Promise<void> {
  const skipped = ['--exclude=./pg_wal/*', '--exclude=./postmaster.pid', '--exclude=./postmaster.opts'];
  const command = `tar -C "$0" --warning=no-file-changed --warning=no-file-removed --ignore-failed-read ${skipped.join(' ')} -cf - . | tar -C "$1" -xf -`;
  await run('sh', ['-c', command, from, to]);
}

/** Closes the current segment, and waits until it is in the archive. */
export async function archiveAll(databaseUrl: string): Promise<void> {
  await withSuperuser(databaseUrl, async (client) => {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as last');
    const { last } = rows[0];
    await until('the last WAL is archived', async () => {
      const { rows: seen } = await client.query(
        'select last_archived_wal >= $1 as done from pg_stat_archiver',
        [last],
      );
      return seen[0].done || undefined;
    });
  });
}

/** Restores the base backup to the path where PostgreSQL will start, which then replays the archive up to this time. */
export async function restoreTo(
  dataDirectory: string,
  { folder, backup, at }: { folder: string; backup: PostgresBackup; at: Date },
): Promise<void> {
  await rm(dataDirectory, { recursive: true, force: true });
  await cp(backup.base, dataDirectory, { recursive: true });
  const settings = {
    restore_command: `sh ${join(folder, 'restore-wal.sh')} ${backup.archive} %f %p`,
    // PostgreSQL does not accept `Z` here.
    recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00'),
    recovery_target_action: 'promote',
    // Prevents connections until all is replayed: a service would find a read-only database.
    hot_standby: 'off',
    archive_mode: 'off',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await writeFile(join(dataDirectory, 'postgresql.auto.conf'), lines.join(''));
  await writeFile(join(dataDirectory, 'recovery.signal'), '');
  await giveToPostgres(dataDirectory);
}

export async function withSuperuser<T>(
  databaseUrl: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function giveToPostgres(path: string): Promise<void> {
  const account = await postgresAccount();
  if (account === undefined) return;
  await chown(path, account.uid, account.gid);
  await run('chown', ['-R', `${account.uid}:${account.gid}`, path]);
  await run('chmod', ['700', path]);
}
