/** Creates a function whose concurrent calls for the same key share one result. */
export function createSingleFlight<Result>(): (key: string, make: () => Promise<Result>) => Promise<Result> {
  const flights = new Map<string, Promise<Result>>();
  return (key, make) => {
    const existing = flights.get(key);
    if (existing !== undefined) return existing;
    const flight = make().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
