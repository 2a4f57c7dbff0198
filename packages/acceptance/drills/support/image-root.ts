import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Script that sets up a service of compose.yaml as a container engine does, with mounts of its own process. The image
 * is read-only, /tmp and the secrets are in memory, the authority's folder is a volume, and the image's user has no
 * groups or rights.
 */
const enterScript = `
set -eu
root=$1
shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
: >>"$root/etc/hosts"
mount --bind /etc/hosts "$root/etc/hosts"
for name in KEYS_FILE PEERS_FILE SEED_FILE; do
  eval "file=\\\${$name:-}"
  [ -n "$file" ] || continue
  install -m 400 -o 1000 -g 1000 "$file" "$root/run/$name"
  export "$name=/run/$name"
done
if [ -n "\${CA_DIRECTORY:-}" ]; then
  chown -R 1000:1000 "$CA_DIRECTORY"
  mount --bind "$CA_DIRECTORY" "$root/var/lib/rubrica/ca"
  export CA_DIRECTORY=/var/lib/rubrica/ca
fi
mount -o remount,bind,ro "$root"
export PATH=/usr/local/bin:/usr/bin:/bin NODE_COMPILE_CACHE=/var/cache/node-compile
exec setpriv --clear-groups --no-new-privs \\
  unshare --root="$root" --wd=/app --setgid=1000 --setuid=1000 node --heap-growing-percent=200 main.mjs "$@"
`;

/** Replaces the process by the service, so that the starter's signals reach the service. */
const program = (root: string) =>
  `process.execve('/usr/bin/unshare', [...${JSON.stringify(['unshare', '--mount', 'sh', '-c', enterScript, 'enter', root])}, ...process.argv.slice(2)], process.env);\n`;

/** Creates a folder for a stack, whose program runs in the image's root instead of the stack's own. */
export async function folderInto(folder: string, root: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'main.mjs'), program(root));
  return folder;
}
