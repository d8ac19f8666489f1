import fc from 'fast-check';

// In CI the same cases every time, so that a change is judged by what it changed; elsewhere new ones on each run.
if (process.env.CI) fc.configureGlobal({ seed: 20_260_315 });
