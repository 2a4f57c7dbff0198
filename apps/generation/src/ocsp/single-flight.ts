/** Calls for the same key while the result is being made share it. */
export function singleFlight<Result>(): (key: string, make: () => Promise<Result>) => Promise<Result> {
  const flights = new Map<string, Promise<Result>>();
  return (key, make) => {
    const known = flights.get(key);
    if (known !== undefined) return known;
    const flight = make().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
