console.error('building');
