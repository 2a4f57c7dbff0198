# Runs a command that sees the given paths read-only, and nothing else of this machine: no other file, no network, no
# process. Expects namespaces of its own, made by unshare(1): mount, network, process, IPC.
#   sh isolate.sh <empty folder> <path>... -- <command>...
set -e
root=$1
shift
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$root"
mkdir "$root/old" "$root/proc"
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root${1%/*}" && : >"$root$1"; fi
  mount --rbind "$1" "$root$1"
  mount -o remount,bind,ro,nosuid "$root$1"
  shift
done
shift
# umount(8) reads it; both go before the command starts.
mount --rbind /proc "$root/proc"
mount -o remount,bind,ro,nosuid,nodev "$root"
cd "$root"
pivot_root . old
cd /
PATH=/old/usr/bin:/old/bin umount -n -l /old /proc
exec /usr/bin/setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
