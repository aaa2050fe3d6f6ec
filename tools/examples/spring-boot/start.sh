#!/bin/sh
# Starts PostgreSQL and two instances of the application. Ctrl-C ends all.
set -e
cd "$(dirname "$0")"
if [ ! -d target/test-lib ]; then
    (cd ../../.. && mvn -q -B -ntp -pl tools/examples/spring-boot -am -DskipTests -Dspotless.check.skip package)
fi
exec java -cp "target/test-classes:target/classes:target/test-lib/*" dev.holdfast.examples.shop.TwoInstances target
