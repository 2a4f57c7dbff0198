/*
 * Loaded by `--import` before a service, in its process alone: its clock is off by CLOCK_SHIFT_MS, as on a machine
 * whose clock was set wrong. What nobody sets, `performance.now()` and timers, stays.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (_, args, target) =>
    Reflect.construct(RealDate, args.length === 0 ? [now()] : args, target === Date ? RealDate : target),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
