// What both examples call Headworks with. A call that fails ends the example, with what was answered.
const base = (process.env.HEADWORKS_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`).replace(/\/$/, '');
const key = process.env.HEADWORKS_KEY ?? process.env.HEADWORKS_BOOTSTRAP_KEY;

if (!key) {
  console.error(
    'Say which API key to use: HEADWORKS_KEY=hw_... npm run example (npm start prints the first one).',
  );
  process.exit(2);
}

/** Every write carries an Idempotency-Key, so an example may be run again. */
export async function call(method, path, body, idempotencyKey) {
  let response;
  try {
    response = await fetch(`${base}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': `example-${idempotencyKey.replace(/\s+/g, '-')}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    console.error(
      `Nothing answers at ${base} (${error.cause?.code ?? error.message}); start it with: npm start`,
    );
    process.exit(1);
  }
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const answer = isJson ? JSON.parse(text) : text;
  if (!response.ok) {
    console.error(`${method} ${path} -> ${response.status}`, JSON.stringify(answer, null, 2));
    process.exit(1);
  }
  return { status: response.status, answer };
}

export const heading = (text) => console.log(`\n${text}\n${'-'.repeat(text.length)}`);
export const shown = ({ value, unit }) => `${value} ${unit}`;
