/** One that throws must not end the step. */
export const reporting =
  (report: (error: unknown) => void = (error) => console.error('payouts:', nameAndCode(error))) =>
  (error: unknown): void => {
    try {
      report(error);
    } catch (thrown) {
      console.error('payouts: onError threw', nameAndCode(thrown));
    }
  };

/** The name and the code: a message from outside may contain what must not be printed. */
function nameAndCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}
