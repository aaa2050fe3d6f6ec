#!/bin/sh
# Measures the start of an empty web application without the starter and with it. Argument: the number of rounds.
set -e
cd "$(dirname "$0")"
if [ ! -d target/test-lib ]; then
    (cd ../../.. && mvn -q -B -ntp -pl tools/examples/spring-boot -am -DskipTests -Dspotless.check.skip package)
fi
exec java -cp "target/test-classes:target/classes:target/test-lib/*" \
    dev.holdfast.examples.startup.StartupCost target "${1:-15}" 2>/dev/null | grep ', ratio'
