import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const periodMicroseconds = 20_000;

/** A control group of Linux whose processes share so much of one core. */
export interface CpuQuota extends AsyncDisposable {
  /** Takes in a process with all that it has started; what it starts later is in the group by itself. */
  add(pid: number): Promise<void>;
}

/** The two versions of control groups: where they are made, and how their share is written. */
const hierarchies = [
  {
    root: '/sys/fs/cgroup/cpu',
    write: async (folder: string, quota: number) => {
      await writeFile(join(folder, 'cpu.cfs_period_us'), String(periodMicroseconds));
      await writeFile(join(folder, 'cpu.cfs_quota_us'), String(quota));
    },
  },
  {
    root: '/sys/fs/cgroup',
    write: (folder: string, quota: number) =>
      writeFile(join(folder, 'cpu.max'), `${quota} ${periodMicroseconds}`),
  },
] as const;

/**
 * @param share of one core, 0 to 1
 * @throws Error where control groups may not be made: that takes Linux and its root user
 */
export async function cpuQuota(name: string, share: number): Promise<CpuQuota> {
  const quota = Math.round(share * periodMicroseconds);
  for (const { root, write } of hierarchies) {
    const folder = join(root, `rubrica-bench-${process.pid}-${name}`);
    try {
      await mkdir(folder);
      await write(folder, quota);
    } catch {
      await rmdir(folder).catch(() => undefined);
      continue;
    }
    const add = (pid: number) => writeFile(join(folder, 'cgroup.procs'), String(pid));
    return {
      async add(pid) {
        for (const each of await family(pid)) await add(each);
      },
      async [Symbol.asyncDispose]() {
        const members = (await readFile(join(folder, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean);
        for (const pid of members) await writeFile(join(root, 'cgroup.procs'), pid).catch(() => undefined);
        await rmdir(folder);
      },
    };
  }
  throw new Error(
    'no control group for processor time can be made here: --copies takes Linux and its root user',
  );
}

/** A process and all below it. */
async function family(root: number): Promise<number[]> {
  const threads = await readdir(`/proc/${root}/task`);
  const children = await Promise.all(
    threads.map((thread) => readFile(`/proc/${root}/task/${thread}/children`, 'utf8')),
  );
  const below = children.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
  return [root, ...(await Promise.all(below.map(family))).flat()];
}
